import type { Caller } from '../auth/identity.ts';
import { decide, rule } from '../domain/rule.ts';
import type { Request } from '../http/operation/operation.ts';
import { ifMatchTags } from '../http/request/precondition.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import { etagOf } from './answer.ts';
import { type Action, demandFourEyes, demandStatus } from './transitions.ts';

type DecisionContext = Pick<Request<Caller>, 'caller' | 'because' | 'http'>;

/**
 * Throws 403 `vier-ogen` when the caller may not do this action, because they drafted, saved or submitted the letter.
 */
export function demandOtherEyes({ caller, because }: DecisionContext, action: Action, brief: Brief): void {
  const { drafterId, savedBy, submitters, submittedBy } = brief;
  decide(because, demandFourEyes, { action, subject: caller.subject, drafterId, savedBy, submitters, submittedBy });
}

/** Throws 409 `brief-status` when the action is not possible in the current status of the letter. */
export function demandTransition({ because }: DecisionContext, action: Action, { tag }: Brief): void {
  decide(because, demandStatus, { action, tag });
}

interface VersionFacts {
  readonly expected: readonly string[] | null;
  /** ETag of the stored letter; null when there is no letter any more. */
  readonly found: string | null;
}

/** Throws 412 `versie-verouderd` when the request has an `If-Match` header that does not contain the letter's ETag. */
const demandBriefEtag = rule('RFC 9110, 13.1.1', function demandBriefEtag({ expected, found }: VersionFacts): void {
  if (expected === null || (found !== null && expected.includes(found))) return;
  throw new Problem('versie-verouderd', 'Iemand heeft de brief intussen gewijzigd. Lees hem opnieuw.');
});

/**
 * Throws 412 `versie-verouderd` when the request has an `If-Match` header that does not contain the letter's ETag. Call
 * it after the other checks (RFC 9110, 13.2.1).
 */
export function demandBriefVersion({ because, http }: DecisionContext, brief: Brief | null): void {
  decide(because, demandBriefEtag, { expected: ifMatchTags(http) ?? null, found: brief && etagOf(brief) });
}
