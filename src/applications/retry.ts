import { setTimeout } from 'node:timers/promises';
import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation/operation.ts';
import type { Call } from '../ports/call.ts';
import type { Unchanged } from '../ports/store/applications.ts';
import { Problem } from '../problem.ts';
import { refreshFromRegister } from '../requests/current.ts';
import type { SubmissionDeps } from '../requests/deps.ts';

/** Milliseconds between two attempts to change an application that another request has locked. */
const RETRY_INTERVAL = 25;

/**
 * Calls `attempt`, and calls it again as long as its result is `busy`: another request has locked the application.
 * Returns the first other result. Throws 503 `overbelast` when the deadline of the current request passes first.
 */
export async function retryWhileLocked<Result>(
  call: Call,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | Exclude<Unchanged, 'busy'>> {
  for (;;) {
    const result = await attempt();
    if (result !== 'busy') return result as Result | Exclude<Unchanged, 'busy'>;
    if (call.signal.aborted)
      throw new Problem('overbelast', 'Een andere indiening van deze aanvraag duurt nog voort.', {
        headers: { 'Retry-After': '2' },
      });
    await setTimeout(RETRY_INTERVAL, undefined, { signal: call.signal }).catch(() => undefined);
  }
}

/**
 * Calls `attempt`, which changes a draft application, and waits while another request has locked the application. When
 * the result is `in-doubt` (sent to the register, but not confirmed), asks the register for the status and tries once
 * more. Throws 503 `overbelast` when it is then still unconfirmed, or still locked at the deadline of the current
 * request.
 */
export async function retryWhileUnconfirmed<Result>(
  deps: SubmissionDeps,
  request: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'onDecision'>,
  attempt: () => Promise<Result | Unchanged>,
): Promise<Result | 'absent' | 'submitted' | 'stale'> {
  const first = await retryWhileLocked(request.call, attempt);
  if (first !== 'in-doubt') return first as Result | 'absent' | 'submitted' | 'stale';
  await refreshFromRegister(deps, request);
  const second = await retryWhileLocked(request.call, attempt);
  if (second !== 'in-doubt') return second as Result | 'absent' | 'submitted' | 'stale';
  const detail =
    'Deze aanvraag is ingediend, en wij weten nog niet of hij is aangekomen. Dien hem opnieuw in, of wacht twee minuten.';
  throw new Problem('overbelast', detail, { headers: { 'Retry-After': '30' } });
}
