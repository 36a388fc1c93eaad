import { rule } from '../domain/rule.ts';
import { type FieldFault, Problem, type ProblemCode } from '../problem.ts';
import {
  checkHerregistratieRequest,
  checkIntake,
  checkRegistratie,
  ONE_OPEN_REQUEST,
  type RequestRule,
} from '../requests/rules.ts';
import type { ApplicationType } from '../wire/values.ts';

/**
 * The types of application that have a draft, with the rule that checks their submit. A change of address has no draft
 * (domain.md 4.4).
 */
export const DRAFT_RULES = {
  registratie: checkRegistratie,
  herregistratie: checkHerregistratieRequest,
  intake: checkIntake,
} as const satisfies Partial<Record<ApplicationType, RequestRule>>;

/**
 * Maximum number of Concepts of one person. Not in the specification: without a limit, a list could take megabytes to
 * read.
 */
export const MAX_CONCEPTS = 100;

export type DraftType = keyof typeof DRAFT_RULES;

export const isDraftType = (type: string | null): type is DraftType =>
  type !== null && Object.hasOwn(DRAFT_RULES, type);

/**
 * Returns the 409 problem for a submit with faults (the specification declares no 422 for a submit). Its code is
 * `lopende-aanvraag` or `niet-herregistreerbaar` when one of the faults has it; otherwise the draft is incomplete:
 * `aanvraag-onvolledig` (domain 4.4).
 */
export function applicationConflict(errors: readonly FieldFault[]): Problem {
  const outright = errors.find(({ code }) => code === 'lopende-aanvraag' || code === 'niet-herregistreerbaar');
  if (outright !== undefined) return new Problem(outright.code as ProblemCode, outright.detail, { errors });
  const final = errors.find(({ code }) => code === 'al-geregistreerd' || code === 'herinschrijving-niet-mogelijk');
  if (final !== undefined) return new Problem('aanvraag-onvolledig', final.detail, { errors });
  const [first] = errors;
  const detail =
    errors.length > 1 ? `Er zijn nog ${errors.length} punten. Het eerste: ${first?.detail}` : first?.detail;
  return new Problem('aanvraag-onvolledig', detail ?? 'Er ontbreekt nog iets.', { errors });
}

/**
 * Facts of `demandDraftContent`: the step and the document ids of a save, and those documents that belong to the
 * caller.
 */
interface DraftContentFacts {
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
  readonly mine: readonly string[];
}

/**
 * Throws 400 for a save with an impossible step or with a document that the caller does not have (domain 4.4). The
 * answer is the same for a document that does not exist and for another person's document.
 */
export const demandDraftContent = rule(
  'domain 4.4',
  function demandDraftContent({ stepIndex, stepCount, documentIds, mine }: DraftContentFacts): void {
    const fault = (pointer: string, code: string, detail: string): FieldFault => ({ pointer, code, detail });
    const errors = [
      ...(stepCount < 0 ? [fault('/stepCount', 'buiten-bereik', 'Het aantal stappen is 0 of meer.')] : []),
      ...(stepIndex < 0 || (stepCount >= 0 && stepIndex > stepCount)
        ? [fault('/stepIndex', 'buiten-bereik', 'De stap is 0 of meer, en niet meer dan het aantal stappen.')]
        : []),
      ...documentIds.flatMap((id, index) =>
        mine.includes(id) ? [] : [fault(`/documentIds/${index}`, 'onbekend', 'Dit document kennen wij niet.')],
      ),
    ];
    const [first] = errors;
    if (first !== undefined) throw new Problem('ongeldig-verzoek', first.detail, { errors });
  },
);

/** Facts of `demandApplicationVersion`: the expected versions, and the result of the save. */
interface SyncFacts {
  readonly id: string;
  /** The version numbers in `If-Match`; null when the header is absent. */
  readonly expected: readonly number[] | null;
  /** The new version number; a text with the reason when the draft was not saved. */
  readonly found: number | string | null;
}

/** Throws 412 `versie-verouderd` for a save that is based on another version of the draft. */
export const demandApplicationVersion = rule('RFC 9110, 13.1.1', function demandVersion({ found }: SyncFacts): void {
  if (found !== 'stale') return;
  const detail = 'Iemand heeft dit concept intussen gewijzigd. Lees het opnieuw en probeer het nog eens.';
  throw new Problem('versie-verouderd', detail);
});

/** Facts of `demandSending`: the application, and the result of the claim that precedes its sending. */
interface SendingFacts {
  readonly id: string;
  readonly type: ApplicationType;
  readonly documentIds: readonly string[];
  /** The caller's applications that are being sent or are not decided yet. */
  readonly open: readonly unknown[];
  /**
   * `overtaken`: another application of this type is being sent. `document-gone`: one of its documents was deleted in
   * the meantime.
   */
  readonly outcome: 'sending' | 'overtaken' | 'document-gone';
}

/** Throws 409 when another application of this type is being sent, or when a document was deleted after the checks. */
export const demandSending = rule(ONE_OPEN_REQUEST.source, function demandSending({ outcome }: SendingFacts): void {
  switch (outcome) {
    case 'overtaken':
      throw new Problem('lopende-aanvraag', 'Een andere aanvraag van deze soort is al onderweg.');
    case 'document-gone':
      throw new Problem('aanvraag-onvolledig', 'Een van de documenten is intussen weggegooid.');
    case 'sending':
  }
});

/**
 * Returns one answer of an application that is submitted: from the body, else from the top level of the draft, else
 * null (domain 4.7).
 */
export function applicationAnswer(
  member: 'scholing' | 'punten' | 'taalvaardigheid' | 'beroep',
  body: unknown,
  draft: string | null,
): unknown {
  if (body !== null && body !== undefined) return body;
  const content: unknown = draft === null ? null : JSON.parse(draft);
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, member)) return null;
  return (content as Record<string, unknown>)[member];
}
