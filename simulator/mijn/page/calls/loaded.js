import { html } from 'htm/preact';
import { Failure } from './failure.js';

/** @import { Called } from './outcome.js' */

/**
 * Shows the text "… laden" until a call has data, and then its data. When the call fails, shows the failure with a
 * button to try again, above the data of an earlier call. A failure that the screen shows once for several calls
 * (`isShared`) is only a line here.
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
 * Returns the failure that two or more calls of one screen have in common, and a function that makes these calls again.
 * `failure` is undefined when there is none. A screen shows one message, such as about a session that has expired, and
 * not one for each call. `isWhole` is true when all calls failed so, and `quiet` returns a call as `loaded` shows it
 * below that message.
 * @param {readonly Called<unknown>[]} calls
 */
export function sharedFailure(calls) {
  const failed = calls.filter(({ data, failure }) => data === undefined && failure !== undefined);
  const alike =
    failed.map((one) => failed.filter((other) => keyOf(other) === keyOf(one))).find((group) => group.length > 1) ?? [];
  return {
    failure: alike[0]?.failure,
    isWhole: alike.length === calls.length,
    again() {
      for (const call of alike) call.again();
    },
    /**
     * @template Data
     * @param {Called<Data>} call
     * @returns {Called<Data> & { isShared: boolean }}
     */
    quiet: (call) => ({ ...call, isShared: alike.includes(call) }),
  };
}

/** Returns a text that is the same for failures with the same cause. @param {Called<unknown>} called */
const keyOf = ({ failure }) => `${failure?.problem.code} ${failure?.problem.bron}`;
