import { html } from 'htm/preact';
import { Failure } from './failure.js';

/** @import { Called } from './outcome.js' */

/**
 * Shows the text "… laden" until a call has data, and then its data. When the call fails, shows the failure with a
 * button to try again, above the data of an earlier call.
 * @template Data
 * @param {Called<Data>} called
 * @param {string} what Dutch subject of "… laden", such as `Uw aanvragen`
 * @param {(data: Data) => unknown} view shows the data
 */
export const loaded = ({ data, busy, failure, again }, what, view) => html`
  ${failure && html`<${Failure} of=${failure} retry=${again} />`}
  ${data === undefined && busy && !failure && html`<p class="loading" role="status"><span class="loading__mark" aria-hidden="true"></span>${what} laden…</p>`}
  ${data !== undefined && view(data)}`;

/**
 * Returns the failure that calls of one screen have in common, and a function that makes all of them again. Returns null
 * when one of them has data, is busy for the first time or failed for another reason. A screen then shows one message,
 * such as about a session that has expired, and not one for each call.
 * @param {readonly Called<unknown>[]} calls
 */
export function sharedFailure(calls) {
  const failure = calls[0]?.failure;
  if (failure === undefined) return null;
  const { code, bron } = failure.problem;
  const isShared = calls.every(
    ({ data, failure: one }) => data === undefined && one?.problem.code === code && one.problem.bron === bron,
  );
  const again = () => {
    for (const call of calls) call.again();
  };
  return isShared ? { failure, again } : null;
}
