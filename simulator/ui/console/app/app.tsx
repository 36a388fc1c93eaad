import { type Signal, signal } from '@preact/signals';
import { type ComponentChildren, createRef, type RefObject, type RenderableProps } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { About, Alert, Button } from '../../components/parts.tsx';
import { address } from './address.ts';
import { PageError } from './api.ts';
import { store } from './store.ts';

const MESSAGE_TIME = 4_000;
const SLOW = 1_000;

function createApp() {
  const status = document.getElementById('said') as HTMLElement;
  let timer = 0;
  const unreachable: Set<Part> = new Set();
  const offline = signal<PageError | null>(null);

  function say(text: string) {
    status.textContent = text;
    status.classList.add('toast');
    clearTimeout(timer);
    timer = setTimeout(() => {
      status.textContent = '';
      status.classList.remove('toast');
    }, MESSAGE_TIME);
  }

  const personOf = (slug: string | null) => store.shown.personas.value?.find((one) => one.slug === slug);

  /** Returns true when a part in view says it, so that the page need not say it again. */
  const isSaid = () => [...unreachable].some(({ place }) => place.current?.checkVisibility());

  function clearUnreachable() {
    offline.value = null;
    for (const { message } of unreachable) message.value = null;
    unreachable.clear();
  }

  return {
    say,
    personOf,
    nameOf: (slug: string) => personOf(slug)?.naam ?? slug,
    /** Loads data of the shown world again, to see changes that were made outside this page. Does not reject. */
    poll: () =>
      store.poll().then(clearUnreachable, (error) => {
        if (error instanceof PageError && error.unreachable) offline.value = isSaid() ? null : error;
      }),
    offline,
    /**
     * Runs an action, and says in the part that it takes long, or why it failed. After a success it loads the store
     * again, and says the text with which the action resolved. Never rejects: resolves with false after a failure.
     */
    async run(part: Part, action: () => Promise<unknown>): Promise<boolean> {
      const showError = (error: unknown) => {
        // The browser reports a mistake in this page.
        if (!(error instanceof PageError)) reportError(error);
        part.message.value = <Problem of={error} onRetry={() => this.run(part, action)} />;
        if (!(error instanceof PageError && error.unreachable)) return unreachable.delete(part);
        unreachable.add(part);
        offline.value = null;
      };
      part.message.value = null;
      const { atField } = part;
      part.atField = undefined;
      const busy = (
        <p class="hint" role="status">
          Bezig: de simulator antwoordt nog niet…
        </p>
      );
      const timer = setTimeout(() => {
        if (!part.saysItself) part.message.value = busy;
      }, SLOW);
      try {
        const done = await action();
        store.refreshAfterAction().catch(showError);
        if (typeof done === 'string') say(done);
        return true;
      } catch (error) {
        if (!(error instanceof PageError && atField?.(error))) showError(error);
        return false;
      } finally {
        clearTimeout(timer);
        if (part.message.value === busy) part.message.value = null;
      }
    },
  };
}

export const app = createApp();

/** A part of the page that shows the error of its last action, or another message. */
export interface Part {
  readonly message: Signal<ComponentChildren>;
  readonly place: RefObject<HTMLDivElement | null>;
  /** True for a part that says itself that an action takes long. */
  readonly saysItself: boolean;
  /** Shows an error at a field of the form that was just submitted; false when it is about none of them. */
  atField?: ((error: PageError) => boolean) | undefined;
}

export const createPart = (saysItself = false): Part => ({ message: signal(null), place: createRef(), saysItself });
export const usePart = () => useMemo(createPart, []);

export function Message({ of }: { of: Part }) {
  const message = of.message.value;
  // The control that was used may be far below it.
  useLayoutEffect(() => {
    of.place.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [message]);
  return (
    <div class="messages" ref={of.place}>
      {message}
    </div>
  );
}

/** An error that is not a `PageError` is a mistake in this page. `onRetry` is for a simulator that did not answer. */
export function Problem({ of, onRetry }: { of: unknown; onRetry: () => unknown }) {
  const { message, errors, remedy, unreachable } =
    of instanceof PageError ? of : new PageError('Er ging iets mis in deze pagina.', String(of));
  if (unreachable && address.view.value === 'presentatie')
    return (
      <Alert tone="info" title="Een ogenblik: de verbinding is even weg." role="alert">
        <p class="utrecht-paragraph">Zo gaan wij verder.</p>
        <p class="utrecht-paragraph notes">
          <strong>{'Voor wie presenteert: '}</strong>
          {`${message} ${remedy ?? ''} Is hij terug, dan doet Page Down de stap.`}
        </p>
      </Alert>
    );
  return (
    <Alert tone="negative" title={message} role="alert">
      {errors.length > 0 && (
        <ul class="utrecht-unordered-list">
          {errors.map(({ pointer, detail }) => (
            <li key={detail}>{pointer ? `${pointer}: ${detail}` : detail}</li>
          ))}
        </ul>
      )}
      {remedy !== null && <p class="utrecht-paragraph">{remedy}</p>}
      {unreachable && (
        <div class="buttons">
          <Button onClick={onRetry}>Probeer opnieuw</Button>
        </div>
      )}
    </Alert>
  );
}

type PanelProps = RenderableProps<{ id: string; title: string; of: Part; isInside?: boolean }>;

/** With `isInside`, an element around the panel has the same name, which would else be announced twice. */
export const Panel = ({ id, title, of, isInside = false, children }: PanelProps) => (
  <section class="panel" id={id} aria-labelledby={isInside ? undefined : `${id}-kop`} tabindex={-1}>
    <h2 class="utrecht-heading-2" id={`${id}-kop`}>
      {title}
    </h2>
    <Message of={of} />
    {children}
  </section>
);

type MoreProps = RenderableProps<{ title?: string; about?: string; hidden?: boolean }>;

/** Shows what is used less, which is hidden until the user opens it. Only screen readers read `about`, after the title. */
export const More = ({ title = 'Meer', about, hidden, children }: MoreProps) => (
  <details class="more" hidden={hidden}>
    <summary>
      {title}
      <About>{about}</About>
    </summary>
    {children}
  </details>
);

/** When the browser does not allow it, shows the text for the user to copy. `what` is its Dutch name, for the message. */
export async function copy(part: Part, text: string, what: string) {
  part.message.value = null;
  try {
    await navigator.clipboard.writeText(text);
    app.say(`${what} gekopieerd.`);
  } catch {
    part.message.value = <NotCopied text={text} />;
  }
}

function NotCopied({ text }: { text: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);
  return (
    <>
      <p class="utrecht-paragraph">Kopiëren mocht niet van de browser. Kopieer de tekst hieronder zelf.</p>
      <textarea ref={area} class="utrecht-textarea" rows={5} readonly aria-label="Tekst om te kopiëren" value={text} />
    </>
  );
}
