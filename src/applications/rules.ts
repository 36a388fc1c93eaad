import { rule } from '../domain/rule.ts';
import { type FieldFault, Problem, type ProblemFault } from '../problem.ts';
import {
  checkHerregistratieRequest,
  checkIntake,
  checkRegistratie,
  ONE_OPEN_REQUEST,
  type RequestRule,
} from '../requests/rules.ts';
import type { ApplicationType } from '../wire/values.ts';

/**
 * The types of application that have a draft, each with the rule that checks its submit. A change of address has no
 * draft (domain.md 4.4).
 */
export const DRAFT_RULES = {
  registratie: checkRegistratie,
  herregistratie: checkHerregistratieRequest,
  intake: checkIntake,
} as const satisfies Partial<Record<ApplicationType, RequestRule>>;

/**
 * Maximum number of Concepts (draft applications) of one person. Not in the specification: without a limit, a list
 * could take megabytes to read.
 */
export const MAX_CONCEPTS = 100;

export type DraftType = keyof typeof DRAFT_RULES;

export const isDraftType = (type: string | null): type is DraftType =>
  type !== null && Object.hasOwn(DRAFT_RULES, type);

/**
 * Returns the 409 problem for a submit with faults (the specification declares no 422 for a submit). A fault with the
 * code `lopende-aanvraag` or `niet-herregistreerbaar` gives the problem its code and detail; the first such fault
 * counts. Otherwise the code is `aanvraag-onvolledig` (domain 4.4). Its detail is then that of the first fault
 * `al-geregistreerd` or `herinschrijving-niet-mogelijk`; without one of these, the detail names the number of faults
 * and the first fault.
 */
export function applicationConflict(errors: readonly ProblemFault[]): Problem {
  const outright = errors.find(({ code }) => code === 'lopende-aanvraag' || code === 'niet-herregistreerbaar');
  if (outright !== undefined) return new Problem(outright.code, outright.detail, { errors });
  const final = errors.find(({ code }) => code === 'al-geregistreerd' || code === 'herinschrijving-niet-mogelijk');
  if (final !== undefined) return new Problem('aanvraag-onvolledig', final.detail, { errors });
  const [first] = errors;
  const detail =
    errors.length > 1 ? `Er zijn nog ${errors.length} punten. Het eerste: ${first?.detail}` : first?.detail;
  return new Problem('aanvraag-onvolledig', detail ?? 'Er ontbreekt nog iets.', { errors });
}

/**
 * Input of the rule `demandDraftContent`: the step and the document ids that a client wants to save, and in `mine` the
 * ids of those documents that belong to the caller.
 */
interface DraftContentFacts {
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
  readonly mine: readonly string[];
}

/**
 * Throws 400 when a client saves a step that is out of range, or a document that the caller does not have (domain 4.4).
 * The problem is the same for a document that does not exist and for another person's document.
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

/**
 * Input of the rule `demandApplicationVersion`: the id of the application, the versions that the client expects, and
 * the result of saving the draft.
 */
interface SyncFacts {
  readonly id: string;
  /** The version numbers in `If-Match`; null when the header is absent. */
  readonly expected: readonly number[] | null;
  /**
   * The new version number, or a word for the reason why the draft was not saved. The word `stale` means that
   * `expected` does not have the current version.
   */
  readonly found: number | string | null;
}

/**
 * Throws 412 `versie-verouderd` when the draft was not saved because the client based it on another version (`found` is
 * `stale`). Does nothing for any other result.
 */
export const demandApplicationVersion = rule('RFC 9110, 13.1.1', function demandVersion({ found }: SyncFacts): void {
  if (found !== 'stale') return;
  const detail = 'Iemand heeft dit concept intussen gewijzigd. Lees het opnieuw en probeer het nog eens.';
  throw new Problem('versie-verouderd', detail);
});

/** Input of the rule `demandSending`: the application, and the outcome of the attempt to claim it for sending. */
interface SendingFacts {
  readonly id: string;
  readonly type: ApplicationType;
  readonly documentIds: readonly string[];
  /** The caller's other applications that are being sent or that the register has not decided. */
  readonly open: readonly unknown[];
  /**
   * `sending`: the application is claimed and may be sent. `overtaken`: another application of this type is being sent.
   * `document-gone`: one of the documents was deleted after the checks.
   */
  readonly outcome: 'sending' | 'overtaken' | 'document-gone';
}

/**
 * Throws 409 `lopende-aanvraag` when another application of this type is being sent, and 409 `aanvraag-onvolledig` when
 * a document was deleted after the checks. Does nothing for the outcome `sending`.
 */
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
 * Returns the answer to one question of an application: `body`, the value in the submit request, unless that is null or
 * undefined; else the member at the top level of the draft; else null (domain 4.7).
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
