import type { Caller } from '../auth/identity.ts';
import { decide, rule } from '../domain/rule.ts';
import type { Request } from '../http/operation.ts';
import { ifMatchTags } from '../http/precondition.ts';
import type { Brief } from '../ports/brief-store.ts';
import { Problem } from '../problem.ts';
import { tagOf } from './answer.ts';
import { type Action, demandFourEyes, demandStatus } from './transitions.ts';

type Asking = Pick<Request<Caller>, 'caller' | 'because' | 'http'>;

/** 403 `vier-ogen` for a caller who would judge their own letter. */
export function demandOtherEyes({ caller, because }: Asking, action: Action, brief: Brief): void {
  const { drafterId, submittedBy } = brief;
  decide(because, demandFourEyes, { action, subject: caller.subject, drafterId, submittedBy });
}

/** 409 `brief-status` when the action does not start from the present state of the letter. */
export function demandTransition({ because }: Asking, action: Action, { tag }: Brief): void {
  decide(because, demandStatus, { action, tag });
}

/** What decides whether a change is based on the letter as it is. */
interface VersionFacts {
  /** The tags of If-Match; null without the header. */
  readonly expected: readonly string[] | null;
  readonly found: string;
}

/** Throws 412 for a change that is based on another version. */
const checkVersion = rule('RFC 9110, 13.1.1', function demandVersion({ expected, found }: VersionFacts): void {
  if (expected === null || expected.includes(found)) return;
  throw new Problem('versie-verouderd', 'Iemand heeft de brief intussen gewijzigd. Lees hem opnieuw.');
});

/** 412 for a change that is based on another version. After every 409: a precondition counts only for what would succeed. */
export function demandVersion({ because, http }: Asking, brief: Brief): void {
  decide(because, checkVersion, { expected: ifMatchTags(http) ?? null, found: tagOf(brief) });
}
