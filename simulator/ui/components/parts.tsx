import {
  type ComponentChildren,
  type ComponentProps,
  createContext,
  type RefObject,
  type RenderableProps,
} from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';

/** The meaning of a message or a status, which decides the colour. */
export type Tone = 'positive' | 'negative' | 'warning' | 'info' | 'neutral';

const BADGE = { positive: 'success', negative: 'danger', warning: 'warning', info: 'neutral', neutral: 'inactive' };

let ids = 0;
/** Returns an id that no other element of the page has. (`useId` repeats ids on a page with several roots.) */
export function useUniqueId() {
  const [id] = useState(() => {
    ids += 1;
    return `id-${ids}`;
  });
  return id;
}

/** Shows a short status text on a coloured background. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span class={`utrecht-status-badge utrecht-status-badge--${BADGE[tone]} badge`}>{children}</span>
);

/** Text after a label that only screen readers read, such as the name of a list item. */
export const About = ({ children }: { children: string | undefined }) =>
  children && <span class="visually-hidden"> {children}</span>;

type ButtonProps = Omit<ComponentProps<'button'>, 'class' | 'aria-busy' | 'onClick'> & {
  onClick?: (event: Event) => unknown;
  look?: 'primary-action' | 'secondary-action' | 'subtle';
  busy?: boolean;
  about?: string | undefined;
  danger?: boolean;
};

/**
 * Shows a button. While `busy` is true, or a promise from `onClick` is not settled, a click does nothing. `about` is text
 * after the label that only screen readers read.
 */
export function Button(props: ButtonProps) {
  const { onClick, look = 'secondary-action', busy = false, about, danger = false, children, ...others } = props;
  const running = useRef(false);
  const [isRunning, setRunning] = useState(false);

  async function press(event: Event) {
    if (busy || running.current) return event.preventDefault();
    const result = onClick?.(event);
    if (!(result instanceof Promise)) return;
    running.current = true;
    setRunning(true);
    try {
      await result;
    } finally {
      running.current = false;
      setRunning(false);
    }
  }

  return (
    <button
      type="button"
      {...others}
      class={`utrecht-button utrecht-button--${look} ${danger ? 'utrecht-button--danger' : ''}`}
      aria-busy={busy || isRunning ? 'true' : undefined}
      onClick={press}
    >
      {children}
      <About>{about}</About>
    </button>
  );
}

const ALERT = { positive: 'ok', negative: 'error', warning: 'warning', info: 'info', neutral: 'info' };

type AlertProps = RenderableProps<{ tone?: Tone; title?: string; titleId?: string; role?: 'alert' | 'status' }>;

/** The element of the title of a message that is part of the content: a heading one level below that of its part. */
export const MessageTitle = createContext<'p' | 'h2' | 'h3'>('p');

/**
 * Shows a message in a box. `tone` decides the colour of the box. A message with a `role` is read when it appears. A title
 * with an id can have the focus.
 */
export function Alert({ tone = 'info', title, titleId, role, children }: AlertProps) {
  const level = useContext(MessageTitle);
  const Title = role ? 'p' : level;
  return (
    <div class={`utrecht-alert utrecht-alert--${ALERT[tone]} alert`} role={role}>
      <div class="utrecht-alert__content alert__content">
        {title && (
          <Title class="alert__title" {...(titleId && { id: titleId, tabindex: -1 })}>
            {title}
          </Title>
        )}
        {children}
      </div>
    </div>
  );
}

/**
 * Shows that a list or a part of a screen has nothing in it: a sentence and, where the user can do something about it, a
 * button that does so.
 */
export const Empty = ({ action, onAction, children }: EmptyProps) => (
  <div class="empty">
    <p class="utrecht-paragraph">{children}</p>
    {action !== undefined && onAction !== undefined && <Button onClick={onAction}>{action}</Button>}
  </div>
);

type EmptyProps = { action?: string; onAction?: () => unknown; children: ComponentChildren };

/** A term and its value; false or empty where there is none to show. */
export type Fact = readonly [term: string, value: ComponentChildren] | false | '' | null | undefined;

/** Shows terms and their values, as a description list. */
export const Facts = ({ of }: { of: readonly Fact[] }) => (
  <dl class="facts">
    {of.map(
      (fact) =>
        fact && (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </dl>
);

type DialogProps = RenderableProps<{ of: RefObject<HTMLDialogElement | null>; title: string; look?: string }>;

/** A dialog with a title. It is shown with `showModal()` of the element in `of`. */
export function Dialog({ of, title, look = '', children }: DialogProps) {
  const id = useUniqueId();
  return (
    <dialog ref={of} class={`dialog ${look}`} aria-labelledby={id}>
      <h2 class="utrecht-heading-2" id={id}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

type ConfirmProps = Omit<DialogProps, 'look'> & { yes: string; danger?: boolean; onYes: () => void };

/** A dialog that asks before something is done that cannot be undone. */
export const Confirm = ({ yes, danger = false, onYes, children, ...dialog }: ConfirmProps) => (
  <Dialog {...dialog}>
    {children}
    <form method="dialog" class="buttons">
      <Button type="submit" look="primary-action" danger={danger} onClick={onYes}>
        {yes}
      </Button>
      {/* Not the button that cannot be undone: Enter, pressed twice, would press it. */}
      <Button type="submit" autofocus>
        Annuleren
      </Button>
    </form>
  </Dialog>
);
