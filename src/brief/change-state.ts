import type { Caller } from '../auth/identity.ts';
import type { Answer } from '../http/exchange.ts';
import type { Request } from '../http/operation/operation.ts';
import type { Brief, BriefContent } from '../ports/store/brief-store.ts';
import { briefAnswer } from './answer.ts';
import { demandBriefVersion, demandTransition } from './demands.ts';
import type { BriefDeps } from './deps.ts';
import { refuseOvertaken } from './send.ts';
import { type Action, TRANSITIONS } from './transitions.ts';
import type { LetterValues } from './values.ts';

/**
 * Stores a letter after an action, and returns the 200 answer with it. When another request has changed the letter
 * meanwhile, it throws what a request that comes later gets: 409 `brief-status` when the action is no longer possible,
 * or 412 for an outdated `If-Match`. Without `If-Match` it throws 409 `brief-status`.
 *
 * @param seen - the letter as this request read it
 * @param content - the content after the action
 * @param values - the values of the placeholders, for the answer
 */
export async function changeState(
  { briefStore }: BriefDeps,
  request: Request<Caller, unknown>,
  action: Exclude<Action, 'send' | 'reset'>,
  seen: Brief,
  content: BriefContent,
  values: LetterValues,
): Promise<Answer> {
  const { to } = TRANSITIONS[action];
  if (!(await briefStore.change(seen, { tag: to, content }))) {
    const current = await briefStore.current(seen.workspace);
    if (current !== null) demandTransition(request, action, current);
    demandBriefVersion(request, current);
    refuseOvertaken(request.onDecision, seen);
  }
  return briefAnswer(request, { ...seen, ...content, tag: to, version: seen.version + 1 }, values);
}
