import type { Caller } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import { ifMatchTags } from '../http/precondition.ts';
import { judged } from '../http/why.ts';
import type { Brief, Section } from '../ports/brief-store.ts';
import { type Fault, Problem } from '../problem.ts';
import { tagOf } from './answer.ts';
import { placeholdersOf, type Said } from './current.ts';
import { usesOf } from './placeholders.ts';
import { type Placeholders, refusalOf } from './rules.ts';
import { type Action, demandFourEyes, demandStatus, TRANSITIONS } from './transitions.ts';

type Asking = Pick<Request<Caller>, 'caller' | 'because' | 'http'>;

const SOURCE = 'domain.md 4.8';

/** 403 `vier-ogen` for whoever would judge their own letter. */
export function demandOtherEyes({ caller, because }: Asking, action: Action, brief: Brief): void {
  const { drafterId, submittedBy } = brief;
  const facts = () => ({ action, subject: caller.subject, drafterId, submittedBy });
  judged(because, { rule: 'demandFourEyes', source: SOURCE, facts }, () =>
    demandFourEyes(action, brief, caller.subject),
  );
}

/** 409 `brief-status` when the letter is not where this begins: the row of the table, and where it is. */
export function demandTransition({ because }: Asking, action: Action, brief: Brief): void {
  const { from, to } = TRANSITIONS[action];
  const facts = () => ({ action, tag: brief.tag, from, to });
  judged(because, { rule: 'demandStatus', source: SOURCE, facts }, () => demandStatus(action, brief));
}

/** The 409 that the faults of a letter come to. */
export function demand(
  { because }: Asking,
  check: (brief: Brief, placeholders: Placeholders) => Fault[],
  brief: Brief,
  sources: Said,
): void {
  const facts = () => ({ sections: outlineOf(brief.sections), placeholders: usedIn(brief, sources) });
  judged(because, { rule: check.name, source: SOURCE, facts }, () => {
    const errors = check(brief, placeholdersOf(brief, sources));
    const refusal = refusalOf(errors);
    if (refusal !== null) throw new Problem(refusal.code, refusal.detail, { errors });
  });
}

/** 412 for a change that was based on another version. After every 409: a precondition only counts for what would succeed. */
export function demandVersion({ because, http }: Asking, brief: Brief): void {
  const expected = ifMatchTags(http);
  const facts = () => ({ expected: expected ?? null, found: tagOf(brief) });
  judged(because, { rule: 'demandVersion', source: 'RFC 9110, 13.1.1', facts }, () => {
    if (expected === undefined || expected.includes(tagOf(brief))) return;
    throw new Problem('versie-verouderd', 'Iemand heeft de brief intussen gewijzigd. Lees hem opnieuw.');
  });
}

/** Sections as the rules weigh them, without their words. */
export const outlineOf = (sections: readonly Section[]) =>
  sections.map(({ sectionKey, required, locked, blocks }) => ({ sectionKey, required, locked, blocks: blocks.length }));

/** The placeholders of a letter, what each may be used for and what it stands for. */
function usedIn(brief: Brief, { values }: Said) {
  const use = usesOf(brief);
  return brief.placeholders.map(({ key }) => ({ key, use: use(key), value: values[key] ?? null }));
}
