import type { Caller } from '../auth/identity.ts';
import { decide, demand, rule } from '../domain/rule.ts';
import type { Request } from '../http/operation/operation.ts';
import { ifMatchTags } from '../http/request/precondition.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import { etagOf } from '../wire/brief-etag.ts';
import { checkBesluit, checkGrounds } from './besluit.ts';
import { briefConflict } from './rules.ts';
import { type Action, demandFourEyes, demandStatus } from './transitions.ts';
import { checkUhd } from './uhd.ts';
import type { LetterValues } from './values.ts';

type DecisionContext = Pick<Request<Caller>, 'caller' | 'onDecision' | 'http'>;

/**
 * Throws 403 `vier-ogen` when the caller may not do this action, because they drafted, saved or submitted the letter.
 */
export function demandOtherEyes({ caller, onDecision }: DecisionContext, action: Action, brief: Brief): void {
  const { subject, otherSubjects = [] } = caller;
  // Another instance may have stored a former id of this caller, and the register knows another id than the service.
  const toCurrent = <Author extends string | null>(author: Author) =>
    otherSubjects.some((other) => other === author) ? subject : author;
  decide(onDecision, demandFourEyes, {
    action,
    subject,
    drafterId: toCurrent(brief.drafterId),
    savedBy: brief.savedBy.map(toCurrent),
    submitters: brief.submitters.map(toCurrent),
    submittedBy: toCurrent(brief.submittedBy),
  });
}

/** Throws 409 `brief-status` when the action is not possible in the current status of the letter. */
export function demandTransition({ onDecision }: DecisionContext, action: Action, { tag }: Brief): void {
  decide(onDecision, demandStatus, { action, tag });
}

/**
 * Throws 409 `besluit-tegenstrijdig` when a letter contradicts the decision on its case, or has a text about the last
 * date for renewal (UHD) that is not right today. Throws 409 `besluit-ongegrond` when it says that something happened
 * that did not happen.
 */
export function demandRightToday(
  { today, onDecision }: Pick<Request, 'today' | 'onDecision'>,
  brief: Brief,
  { facts }: LetterValues,
): void {
  demand(onDecision, checkBesluit, { brief, decided: facts?.opdracht.besluit ?? null, today }, briefConflict);
  demand(onDecision, checkUhd, { brief, registratie: facts?.registratie ?? null, today }, briefConflict);
  if (facts !== null) demand(onDecision, checkGrounds, { brief, opdracht: facts.opdracht, today }, briefConflict);
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
export function demandBriefVersion({ onDecision, http }: DecisionContext, brief: Brief | null): void {
  decide(onDecision, demandBriefEtag, { expected: ifMatchTags(http) ?? null, found: brief && etagOf(brief) });
}
