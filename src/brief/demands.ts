import type { Caller } from '../auth/identity.ts';
import { decide, rule } from '../domain/rule.ts';
import type { Request } from '../http/operation/operation.ts';
import { ifMatchTags } from '../http/request/precondition.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import { tagOf } from './answer.ts';
import { type Action, demandFourEyes, demandStatus } from './transitions.ts';

/** The parts of a request that the checks of a letter need. */
type DecisionContext = Pick<Request<Caller>, 'caller' | 'because' | 'http'>;

/**
 * Throws 403 `vier-ogen` when the action is an approval or a rejection and the caller drafted, saved or submitted the
 * letter.
 */
export function demandOtherEyes({ caller, because }: DecisionContext, action: Action, brief: Brief): void {
  const { drafterId, savedBy, submittedBy } = brief;
  decide(because, demandFourEyes, { action, subject: caller.subject, drafterId, savedBy, submittedBy });
}

/** Throws 409 `brief-status` when the action is not possible in the current status of the letter. */
export function demandTransition({ because }: DecisionContext, action: Action, { tag }: Brief): void {
  decide(because, demandStatus, { action, tag });
}

/** Input of the rule `checkVersion`: the ETags of `If-Match` and of the letter. */
interface VersionFacts {
  /** ETags in the `If-Match` header; null when the header is absent. */
  readonly expected: readonly string[] | null;
  /** ETag of the stored letter; null when there is no letter any more. */
  readonly found: string | null;
}

/**
 * Throws 412 `versie-verouderd` when the request has `If-Match`, and it does not name the stored version of the letter.
 */
const checkVersion = rule('RFC 9110, 13.1.1', function demandVersion({ expected, found }: VersionFacts): void {
  if (expected === null || (found !== null && expected.includes(found))) return;
  throw new Problem('versie-verouderd', 'Iemand heeft de brief intussen gewijzigd. Lees hem opnieuw.');
});

/**
 * Throws 412 `versie-verouderd` when the request has `If-Match`, and it does not name the version of the stored letter.
 * Call it after all checks that throw 409: a precondition is evaluated only when the request would succeed without it
 * (RFC 9110, 13.2.1).
 */
export function demandBriefVersion({ because, http }: DecisionContext, brief: Brief | null): void {
  decide(because, checkVersion, { expected: ifMatchTags(http) ?? null, found: brief && tagOf(brief) });
}
