import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from './router.ts';

import type { Tone } from './words.ts';

const BADGE = { positive: 'success', negative: 'danger', warning: 'warning', info: 'neutral', neutral: 'inactive' };

/**
 * Shows a status as a coloured label. `of` is the text of the label and its tone, which decides the colour. Without
 * `of`, the text is `name`, or else `Onbekend`.
 */
export function Tag({ of, name }: { of: readonly [string, Tone] | undefined; name?: string | undefined }) {
  const [text, tone] = of ?? [name ?? 'Onbekend', 'neutral' as Tone];
  return (
    <span class={`utrecht-badge-status utrecht-status-badge utrecht-status-badge--${BADGE[tone]} tag`}>{text}</span>
  );
}

/**
 * Shows a button. While `busy` is true, a click does nothing. `about` is text after the label that only screen readers
 * read.
 */
export function Button({
  onClick,
  look = 'secondary-action',
  busy = false,
  type = 'button',
  about,
  id,
  danger = false,
  children,
}: {
  onClick?: (event: Event) => void;
  look?: 'primary-action' | 'secondary-action' | 'subtle';
  busy?: boolean;
  type?: 'button' | 'submit';
  about?: string | undefined;
  id?: string;
  danger?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <button
      type={type}
      id={id}
      class={`utrecht-button utrecht-button--${look} ${danger ? 'utrecht-button--danger' : ''}`}
      aria-busy={busy ? 'true' : undefined}
      onClick={(event: Event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {children}
      {about && <span class="visually-hidden"> {about}</span>}
    </button>
  );
}

/**
 * Shows a link to another screen that looks like a button. `to` are the segments of the address of that screen. `about`
 * is text after the label that only screen readers read.
 */
export function ButtonLink({
  to,
  look = 'secondary',
  about,
  onClick,
  children,
}: {
  to: string[];
  look?: 'primary' | 'secondary';
  about?: string | undefined;
  onClick?: () => void;
  children?: ComponentChildren;
}) {
  return (
    <a href={linkTo(...to)} onClick={onClick} class={`utrecht-button utrecht-button--${look}-action button-link`}>
      {children}
      {about && <span class="visually-hidden"> {about}</span>}
    </a>
  );
}

/**
 * Shows a link to another screen. `to` are the segments of the address of that screen. `about` is text after the label
 * that only screen readers read.
 */
export const Link = ({
  to,
  about,
  children,
}: {
  to: string[];
  about?: string | undefined;
  children?: ComponentChildren;
}) => (
  <a class="utrecht-link utrecht-link--html-a" href={linkTo(...to)}>
    {children}
    {about && <span class="visually-hidden"> {about}</span>}
  </a>
);

const ALERT = { positive: 'ok', negative: 'error', warning: 'warning', info: 'info', neutral: 'info' };

/** Shows a message in a box. `tone` decides the colour of the box. */
export function Alert({
  tone = 'info',
  title,
  role,
  children,
}: {
  tone?: Tone;
  title?: string;
  role?: 'alert' | 'status';
  children?: ComponentChildren;
}) {
  return (
    <div class={`utrecht-alert utrecht-alert--${ALERT[tone]} alert`} role={role}>
      <div class="utrecht-alert__content alert__content">
        {title && <p class="alert__title">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/**
 * Shows the title and content of a screen. Moves the focus to the title when the screen opens, except for the first
 * screen after the page was loaded. `step` is the step that the title of the browser tab begins with.
 */
export function Screen({
  title,
  step,
  lead,
  back,
  children,
}: {
  title: string;
  step?: string;
  lead?: ComponentChildren;
  back?: { to: string[]; text: string };
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${step ? `${step} · ` : ''}${title} · Mijn register`;
  }, [title, step]);
  useEffect(() => {
    if (navigated) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    navigated = true;
  }, []);
  return (
    <div class="screen">
      {back && (
        <p class="screen__back">
          <Link to={back.to}>
            <span aria-hidden="true">‹ </span>
            {back.text}
          </Link>
        </p>
      )}
      <h1 class="utrecht-heading-1" tabindex={-1} ref={heading}>
        {title}
      </h1>
      {lead && <p class="utrecht-paragraph lead">{lead}</p>}
      {children}
    </div>
  );
}
/** True after the first screen was shown. */
let navigated = false;

/** Shows a part of a screen with a heading. */
export function Panel({
  title,
  id,
  aside,
  children,
}: {
  title: string;
  id?: string;
  aside?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <section class="panel" id={id}>
      <div class="panel__head">
        <h2 class="utrecht-heading-2">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

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
