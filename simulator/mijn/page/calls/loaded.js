import { html } from 'htm/preact';
import { Failure } from './failure.js';

/** @import { Called } from './outcome.js' */

/**
 * Shows the text "… laden" until a call has data, and then its data. When the call fails, shows the failure, above the
 * data of an earlier call if there are any. When `isShared` is true, the screen itself already shows the failure of
 * several calls, and this part shows only a line of text.
 * @template Data
 * @param {Called<Data> & { isShared?: boolean }} called
 * @param {string} what Dutch subject of "… laden", such as `Uw aanvragen`
 * @param {(data: Data) => unknown} view shows the data
 */
export const loaded = ({ data, busy, failure, again, isShared = false }, what, view) => html`
  ${failure && !isShared && html`<${Failure} of=${failure} retry=${again} />`}
  ${isShared && html`<p class="empty">${what} kunnen wij nu niet laten zien.</p>`}
  ${data === undefined && busy && !failure && html`<p class="loading" role="status"><span class="loading__mark" aria-hidden="true"></span>${what} laden…</p>`}
  ${data !== undefined && view(data)}`;

/**
 * Returns what failed in the same way in two or more calls of one screen, so that the screen shows one message, such as
 * about a session that has expired. `failure` is that failure; undefined when there is none. `allFailed` is true when
 * all calls failed in that way. `again` makes the failed calls again. `withoutMessage` returns a call in the form for
 * `loaded`, which then does not repeat the message.
 * @param {readonly Called<unknown>[]} calls
 */
export function sharedFailure(calls) {
  const failed = calls.filter(({ data, failure }) => data === undefined && failure !== undefined);
  const alike =
    failed.map((one) => failed.filter((other) => keyOf(other) === keyOf(one))).find((group) => group.length > 1) ?? [];
  return {
    failure: alike[0]?.failure,
    allFailed: alike.length === calls.length,
    again() {
      for (const call of alike) call.again();
    },
    /**
     * Returns a call in the form for `loaded`, which does not show its failure when the screen already shows it.
     * @template Data
     * @param {Called<Data>} call
     * @returns {Called<Data> & { isShared: boolean }}
     */
    withoutMessage: (call) => ({ ...call, isShared: alike.includes(call) }),
  };
}

/**
 * Returns a text that is equal for two calls that failed with the same code and upstream.
 * @param {Called<unknown>} called
 */
const keyOf = ({ failure }) => `${failure?.problem.code} ${failure?.problem.bron}`;
