import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { linkTo } from './router.js';

/** @import { Tone } from './words.js' */

const BADGE = { positive: 'success', negative: 'danger', warning: 'warning', info: 'neutral', neutral: 'inactive' };

/**
 * Shows a status as a coloured label. `of` is the text of the label and its tone, which decides the colour. Without
 * `of`, the text is `name`, or else `Onbekend`.
 * @param {{ of: readonly [string, Tone] | undefined, name?: string }} props
 */
export function Tag({ of, name }) {
  const [text, tone] = of ?? [name ?? 'Onbekend', /** @type {Tone} */ ('neutral')];
  return html`<span class=${`utrecht-badge-status utrecht-status-badge utrecht-status-badge--${BADGE[tone]} tag`}>${text}</span>`;
}

/**
 * Shows a button. While `busy` is true, a click does nothing. `about` is text after the label that only screen readers
 * read.
 * @param {{ onClick?: (event: Event) => void, look?: 'primary-action' | 'secondary-action' | 'subtle', busy?: boolean, type?: string, about?: string, id?: string, danger?: boolean, children?: unknown }} props
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
}) {
  return html`<button type=${type} id=${id} class=${`utrecht-button utrecht-button--${look} ${danger ? 'utrecht-button--danger' : ''}`}
    aria-busy=${busy ? 'true' : undefined} onClick=${(/** @type {Event} */ event) => (busy ? event.preventDefault() : onClick?.(event))}>
    ${children}${about && html`<span class="visually-hidden"> ${about}</span>`}</button>`;
}

/**
 * Shows a link to another screen that looks like a button. `to` are the segments of the address of that screen. `about`
 * is text after the label that only screen readers read.
 * @param {{ to: string[], look?: 'primary' | 'secondary', about?: string, onClick?: () => void, children?: unknown }} props
 */
export function ButtonLink({ to, look = 'secondary', about, onClick, children }) {
  return html`<a href=${linkTo(...to)} onClick=${onClick} class=${`utrecht-button utrecht-button--${look}-action button-link`}>
    ${children}${about && html`<span class="visually-hidden"> ${about}</span>`}</a>`;
}

/**
 * Shows a link to another screen. `to` are the segments of the address of that screen. `about` is text after the label
 * that only screen readers read.
 * @param {{ to: string[], about?: string, children?: unknown }} props
 */
export const Link = ({ to, about, children }) =>
  html`<a class="utrecht-link utrecht-link--html-a" href=${linkTo(...to)}>${children}${about && html`<span class="visually-hidden"> ${about}</span>`}</a>`;

const ALERT = { positive: 'ok', negative: 'error', warning: 'warning', info: 'info', neutral: 'info' };

/**
 * Shows a message in a box. `tone` decides the colour of the box.
 * @param {{ tone?: Tone, title?: string, role?: string, children?: unknown }} props
 */
export function Alert({ tone = 'info', title, role, children }) {
  return html`<div class=${`utrecht-alert utrecht-alert--${ALERT[tone]} alert`} role=${role}>
    <div class="utrecht-alert__content alert__content">
      ${title && html`<p class="alert__title">${title}</p>`}
      ${children}
    </div>
  </div>`;
}

/**
 * Shows the title and content of a screen. Moves the focus to the title when the screen opens, except for the first
 * screen after the page was loaded. `step` is the step that the title of the browser tab begins with.
 * @param {{ title: string, step?: string, lead?: unknown, back?: { to: string[], text: string }, children?: unknown }} props
 */
export function Screen({ title, step, lead, back, children }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
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
  return html`<div class="screen">
    ${back && html`<p class="screen__back"><${Link} to=${back.to}><span aria-hidden="true">‹ </span>${back.text}<//></p>`}
    <h1 class="utrecht-heading-1" tabindex="-1" ref=${heading}>${title}</h1>
    ${lead && html`<p class="utrecht-paragraph lead">${lead}</p>`}
    ${children}
  </div>`;
}
/** True after the first screen was shown. */
let navigated = false;

/**
 * Shows a part of a screen with a heading.
 * @param {{ title: string, id?: string, aside?: unknown, children?: unknown }} props
 */
export function Panel({ title, id, aside, children }) {
  return html`<section class="panel" id=${id}>
    <div class="panel__head"><h2 class="utrecht-heading-2">${title}</h2>${aside}</div>
    ${children}
  </section>`;
}

/**
 * Shows terms and their values, as a description list.
 * @param {{ of: readonly (readonly [string, unknown])[] }} props
 */
export const Facts = ({ of }) =>
  html`<dl class="facts">${of.map(([term, value]) => html`<div key=${term}><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
