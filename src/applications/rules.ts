import type { Fault, ProblemCode } from '../problem.ts';
import { checkHerregistratieRequest, checkIntake, checkRegistratie, type Rule } from '../requests/rules.ts';
import type { ApplicationType } from '../wire/values.ts';

/** Kinds of which a draft can be made, with the rules of their submit; a change of address is asked for at once (domain.md 4.4). */
export const DRAFT_RULES = {
  registratie: checkRegistratie,
  herregistratie: checkHerregistratieRequest,
  intake: checkIntake,
} as const satisfies Partial<Record<ApplicationType, Rule>>;

export type DraftType = keyof typeof DRAFT_RULES;

export const isDraftType = (type: string | null): type is DraftType =>
  type !== null && Object.hasOwn(DRAFT_RULES, type);

/**
 * The 409 of a submit: a running request or a registration that cannot be renewed forbid it outright, anything else means
 * that the draft is not complete (domain.md 4.4; submit declares no 422). Null: it may go.
 */
export function refusalOf(faults: readonly Fault[]): { code: ProblemCode; detail: string } | null {
  const outright = faults.find(({ code }) => code === 'lopende-aanvraag' || code === 'niet-herregistreerbaar');
  if (outright !== undefined) return { code: outright.code as ProblemCode, detail: outright.detail };
  if (faults.length === 0) return null;
  return {
    code: 'aanvraag-onvolledig',
    detail: `Er ${faults.length === 1 ? 'ontbreekt nog iets' : `ontbreken nog ${faults.length} dingen`}; zie \`errors\`.`,
  };
}

/** The scholing answer of an intake: from the body, else from the top of its draft (domain.md 4.7, "Scholing answer"). */
export function answerOf(
  member: 'scholing' | 'punten' | 'taalvaardigheid',
  body: unknown,
  draft: string | null,
): unknown {
  if (body !== null && body !== undefined) return body;
  const content: unknown = draft === null ? null : JSON.parse(draft);
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, member)) return null;
  return (content as Record<string, unknown>)[member];
}
