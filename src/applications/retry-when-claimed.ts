import { setTimeout } from 'node:timers/promises';
import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import type { Call } from '../ports/call.ts';
import type { Unchanged } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { refreshFromRegister } from '../requests/current.ts';
import type { SubmissionDeps } from '../requests/deps.ts';

/** Milliseconds between two attempts on an application that another request has claimed. */
const RETRY_INTERVAL = 25;

/**
 * Repeats an attempt until the application is not claimed by another request, and returns its result: a second request
 * gets the outcome of the first. Throws 503 when the time of this request is over.
 */
export async function whenFree<Result>(
  call: Call,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | Exclude<Unchanged, 'busy'>> {
  while (!call.signal.aborted) {
    const result = await attempt();
    if (result !== 'busy') return result as Result | Exclude<Unchanged, 'busy'>;
    await setTimeout(RETRY_INTERVAL, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem('overbelast', 'Een andere indiening van deze aanvraag duurt nog voort.', {
    headers: { 'Retry-After': '2' },
  });
}

/**
 * Does the same for a change of a Concept. When it is in doubt whether the Concept was submitted, the register is asked
 * first. Throws 503 while it is still in doubt, as a submitted application may not change.
 */
export async function whenClear<Result>(
  deps: SubmissionDeps,
  request: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'because'>,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | 'absent' | 'submitted' | 'stale'> {
  const first = await whenFree(request.call, attempt);
  if (first !== 'in-doubt') return first as Result | 'absent' | 'submitted' | 'stale';
  await refreshFromRegister(deps, request);
  const second = await whenFree(request.call, attempt);
  if (second !== 'in-doubt') return second as Result | 'absent' | 'submitted' | 'stale';
  const detail =
    'Deze aanvraag is ingediend, en wij weten nog niet of hij is aangekomen. Dien hem opnieuw in, of wacht twee minuten.';
  throw new Problem('overbelast', detail, { headers: { 'Retry-After': '30' } });
}
