import type { ComponentChildren } from 'preact';
import { Empty } from '../../components/parts.tsx';
import { Failure } from './failure.tsx';

import type { Called } from './outcome.ts';

/**
 * Shows the data of a call with `view`, and above them the failure of the call if there is one. Before the first
 * answer, says that `what` is being loaded. With `isShared`, one line of text replaces the failure, because the screen
 * shows the failure elsewhere.
 * @param what Dutch subject of "… laden", such as `Uw aanvragen`
 * @param view shows the data
 */
export const loaded = <Data,>(
  { data, busy, failure, again, isShared = false }: Called<Data> & { isShared?: boolean },
  what: string,
  view: (data: Data) => ComponentChildren,
) => (
  <>
    {failure && !isShared && <Failure of={failure} retry={again} />}
    {isShared && <Empty>{what} kunnen wij nu niet laten zien.</Empty>}
    {data === undefined && busy && !failure && (
      <p class="loading" role="status">
        <span class="loading__mark" aria-hidden="true" />
        {what} laden…
      </p>
    )}
    {data !== undefined && view(data)}
  </>
);

/**
 * Returns the failure that two or more calls of a screen have in common, so that the screen can show it once. `failure`
 * is undefined when there is no such failure. `allFailed` is true when every call has this failure. `again` repeats the
 * calls that have this failure.
 */
export function sharedFailure(calls: readonly Called<unknown>[]) {
  const failed = calls.filter(({ data, failure }) => data === undefined && failure !== undefined);
  const alike =
    failed.map((one) => failed.filter((other) => keyOf(other) === keyOf(one))).find((group) => group.length > 1) ?? [];
  return {
    failure: alike[0]?.failure,
    allFailed: alike.length === calls.length,
    again() {
      for (const call of alike) call.again();
    },
    /** Returns a copy of a call with the member `isShared`, which is true when the call has the common failure. */
    withoutMessage: <Data,>(call: Called<Data>): Called<Data> & { isShared: boolean } => ({
      ...call,
      isShared: alike.includes(call),
    }),
  };
}

/** Returns a text that is equal for two calls that failed with the same code and upstream. */
const keyOf = ({ failure }: Called<unknown>) => `${failure?.problem.code} ${failure?.problem.bron}`;
