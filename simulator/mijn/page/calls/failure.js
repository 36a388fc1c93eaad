import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert, Button } from '../parts.js';
import { adviceFor, sentenceOf, titleOf } from './problems.js';

/** @import { Failure as FailureType } from './outcome.js' */

/**
 * Shows why a call failed and what the user can do; nothing when `of` is undefined. Calls `retry` at most once for each
 * failure: when the user presses a button, or by itself when the failure has a `retryAfter`.
 * @param {{ of: FailureType | undefined, retry?: () => void, fieldOf?: (pointer: string) => string | null,
 *   labelOf?: (pointer: string) => string | null, open?: (field: string) => void, takesFocus?: boolean, children?: unknown }} props
 *   `fieldOf` returns the id of the field for a JSON Pointer, or null; `labelOf` returns the label of a field that only
 *   has to be filled in, which is then shown in place of the error, or null; `open` shows a field that is on another step;
 *   `takesFocus` moves the focus to the failure when it appears; `children` are shown below the advice
 */
export const Failure = ({ of: failure, ...props }) => failure && html`<${Message} failure=${failure} ...${props} />`;

/**
 * Shows a failure. When it disappears while it contains the focus, for example after a retry that succeeded, the focus
 * moves to the part of the page around it.
 * @param {Omit<Parameters<typeof Failure>[0], 'of'> & { failure: FailureType }} props
 */
function Message({ failure, retry, fieldOf = () => null, labelOf = () => null, open, takesFocus = false, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  // The failure after which `retry` was called: at once for the next call, and as state for what is shown.
  const last = useRef(/** @type {FailureType | null} */ (null));
  const [retried, setRetried] = useState(last.current);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, []);
  // Not `useEffect`: that cleans up after the message, and with it the focus, is gone.
  useLayoutEffect(() => {
    const message = place.current;
    return () => {
      const around = /** @type {HTMLElement | null | undefined} */ (message?.parentElement?.closest('[tabindex]'));
      if (message?.contains(document.activeElement)) around?.focus({ preventScroll: true });
    };
  }, []);
  const { problem, retryAfter } = failure;
  const faults = (problem.errors ?? []).filter(
    ({ detail }) => detail !== problem.detail || (problem.errors ?? []).length > 1,
  );
  const sentence = sentenceOf(problem);
  function tryAgain() {
    if (last.current === failure) return;
    last.current = failure;
    setRetried(failure);
    retry?.();
  }
  const isRetrying = retried === failure;
  const first = problem.errors?.[0];
  const only = faults.length === 0 && first ? fieldOf(first.pointer) : null;
  return html`<div ref=${place} tabindex="-1" class="failure">
    <${Alert} tone=${problem.status >= 500 || problem.status === 0 ? 'warning' : 'negative'} title=${titleOf(problem)} role="alert">
      ${sentence !== null && html`<p>${sentence}</p>`}
      <p>${adviceFor(problem, takesFocus || children !== undefined)}</p>
      ${only && html`<p><${FieldLink} id=${only} open=${open}>Ga naar dit veld<//></p>`}
      ${
        faults.length > 0 &&
        html`<ul class="failure__faults">
          ${faults.map(({ pointer, detail }) => {
            const id = fieldOf(pointer);
            const text = labelOf(pointer) ?? detail;
            return html`<li>${id ? html`<${FieldLink} id=${id} open=${open}>${text}<//>` : text}</li>`;
          })}
        </ul>`
      }
      ${children}
      ${problem.code === 'niet-ingelogd' && html`<p><${Button} onClick=${() => location.reload()}>Log opnieuw in<//></p>`}
      ${
        retry &&
        (retryAfter === null
          ? problem.status >= 500 && html`<${Button} onClick=${tryAgain} busy=${isRetrying}>Probeer opnieuw<//>`
          : html`<${Countdown} seconds=${retryAfter} retry=${tryAgain} isRetrying=${isRetrying} of=${failure} />`)
      }
      ${problem.instance && problem.status >= 500 && retryAfter === null && html`<p class="small">Foutnummer: ${problem.instance.replace('urn:uuid:', '')}</p>`}
    <//>
  </div>`;
}

/**
 * Shows a link that moves the focus to the field with this id. When `open` is given, a click first calls it, to show
 * the step that contains the field.
 * @param {{ id: string, open?: (field: string) => void, children?: unknown }} props
 */
function FieldLink({ id, open, children }) {
  function follow(/** @type {Event} */ event) {
    event.preventDefault();
    open?.(id);
    focusField(id);
  }
  return html`<a class="utrecht-link utrecht-link--html-a" href=${`#${id}`} onClick=${follow}>${children}</a>`;
}

/**
 * Moves the focus to the element with this id after the browser has drawn the page again. When there is no such element
 * yet, because its data are being loaded, does so when it appears, unless the focus moves before that.
 * @param {string} id
 */
export const focusField = (id) =>
  requestAnimationFrame(() =>
    setTimeout(() => {
      const focus = () => {
        const field = document.getElementById(id);
        field?.focus();
        return field !== null;
      };
      if (focus()) return;
      const drawn = new MutationObserver(() => focus() && drawn.disconnect());
      drawn.observe(document.body, { childList: true, subtree: true });
      addEventListener('focusin', () => drawn.disconnect(), { once: true });
    }),
  );

/**
 * Shows the number of seconds until the next attempt, and then calls `retry`; earlier when the user presses the button
 * or the browser is online again. `isRetrying` stops the count, and a new failure (`of`) starts it again.
 * @param {{ seconds: number, retry: () => void, isRetrying: boolean, of: object }} props
 */
function Countdown({ seconds, retry, isRetrying, of }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (isRetrying) return;
    const end = performance.now() + seconds * 1000;
    setLeft(seconds);
    const timer = setInterval(() => {
      const rest = Math.ceil((end - performance.now()) / 1000);
      setLeft(Math.max(0, rest));
      if (rest <= 0) retry();
    }, 250);
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, [of, isRetrying]);
  return html`<div class="countdown">
    <p role="timer">${isRetrying ? 'Wij proberen het nu opnieuw…' : html`Wij proberen het over <strong class="countdown__number">${left}</strong> ${left === 1 ? 'seconde' : 'seconden'} opnieuw.`}</p>
    <${Button} onClick=${retry} busy=${isRetrying}>Nu proberen<//>
  </div>`;
}
