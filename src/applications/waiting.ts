import { setTimeout } from 'node:timers/promises';
import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import type { Call } from '../ports/call.ts';
import type { Unchanged } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { lookAtRegister } from '../requests/current.ts';
import type { SubmissionDeps } from '../requests/deps.ts';

/** Milliseconds between two looks at an application that a submit holds. */
const LOOK_AGAIN = 25;

/** Waits for a submit that is under way: whoever comes second must hear how it ended, not that it was busy. */
export async function whenFree<Result>(
  call: Call,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | Exclude<Unchanged, 'busy'>> {
  while (!call.signal.aborted) {
    const result = await attempt();
    if (result !== 'busy') return result as Result | Exclude<Unchanged, 'busy'>;
    await setTimeout(LOOK_AGAIN, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem('overbelast', 'Een andere indiening van deze aanvraag duurt nog voort.', {
    headers: { 'Retry-After': '2' },
  });
}

/**
 * The same for a change of a Concept, which can only be made to one that is certainly still a Concept: what is in doubt is
 * first asked of the register, and while nobody knows it stays as it was sent.
 */
export async function whenClear<Result>(
  deps: SubmissionDeps,
  request: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'because'>,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | 'absent' | 'submitted' | 'stale'> {
  const first = await whenFree(request.call, attempt);
  if (first !== 'in-doubt') return first as Result | 'absent' | 'submitted' | 'stale';
  await lookAtRegister(deps, request);
  const second = await whenFree(request.call, attempt);
  if (second !== 'in-doubt') return second as Result | 'absent' | 'submitted' | 'stale';
  const detail =
    'Deze aanvraag is ingediend, en wij weten nog niet of hij is aangekomen. Dien hem opnieuw in, of wacht twee minuten.';
  throw new Problem('overbelast', detail, { headers: { 'Retry-After': '30' } });
}
