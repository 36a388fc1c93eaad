import { isDeceased } from '../domain/registraties.ts';
import { rule } from '../domain/rule.ts';
import { type FieldFault, firstOf, NO_VERSION_FITS, Problem, type ProblemFault, type Sentence } from '../problem.ts';
import { NO_ANSWER } from '../requests/current.ts';
import {
  checkHerregistratieRequest,
  checkIntake,
  checkRegistratie,
  DECEASED,
  ONE_OPEN_REQUEST,
  type RequestFacts,
  type RequestRule,
} from '../requests/rules.ts';
import { UNKNOWN_DOCUMENT } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';

/** domain.md 4.4. */
export const DRAFT_RULES = {
  registratie: checkRegistratie,
  herregistratie: checkHerregistratieRequest,
  intake: checkIntake,
} as const satisfies Partial<Record<ApplicationType, RequestRule>>;

/** Maximum for one person, so that their list stays small. */
export const MAX_CONCEPTS = 100;

export type DraftType = keyof typeof DRAFT_RULES;

/** Returns false for `adreswijziging`, which has no draft, and for null. */
export const isDraftType = (type: string | null): type is DraftType =>
  type !== null && Object.hasOwn(DRAFT_RULES, type);

/**
 * The 409 for an application that cannot be submitted (domain.md 4.4). Some faults give it their own code; otherwise it is
 * `aanvraag-onvolledig`.
 */
export function applicationConflict(errors: readonly [ProblemFault, ...ProblemFault[]]): Problem {
  const dead = errors.find(({ code }) => code === 'aanvrager-overleden');
  if (dead !== undefined) return new Problem(dead.code, dead, { errors, status: 409 });
  const outright = errors.find(({ code }) => code === 'lopende-aanvraag' || code === 'niet-herregistreerbaar');
  if (outright !== undefined) return new Problem(outright.code, outright, { errors });
  const final = errors.find(({ code }) => code === 'al-geregistreerd' || code === 'herinschrijving-niet-mogelijk');
  if (final !== undefined) return new Problem('aanvraag-onvolledig', final, { errors });
  return new Problem('aanvraag-onvolledig', firstOf(errors), { errors });
}

interface AliveFacts extends Pick<RequestFacts, 'deceased'> {
  readonly registraties: RequestFacts['registraties'] | typeof NO_ANSWER;
}

/** Throws 409 `aanvrager-overleden` (domain.md 4.7), unless the register did not answer. */
export const demandAlive = rule('domain.md 4.7', function demandAlive({ registraties, deceased }: AliveFacts): void {
  if (registraties === NO_ANSWER || (!deceased && !isDeceased(registraties))) return;
  const errors = [{ pointer: '', code: 'aanvrager-overleden', ...DECEASED }] as const;
  throw new Problem('aanvrager-overleden', DECEASED, { errors, status: 409 });
});

// `mine` has the ids of documents that belong to the caller and are not deleted.
interface DraftContentFacts {
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
  readonly mine: readonly string[];
}

/** Throws 400 `ongeldig-verzoek` for a step out of range or a document that is not the caller's (domain.md 4.4). */
export const demandDraftContent = rule(
  'domain.md 4.4',
  function demandDraftContent({ stepIndex, stepCount, documentIds, mine }: DraftContentFacts): void {
    const outOfRange = (pointer: string, said: Sentence): FieldFault => ({ pointer, code: 'buiten-bereik', ...said });
    const errors = [
      ...(stepCount < 0 ? [outOfRange('/stepCount', WRONG_COUNT)] : []),
      ...(stepIndex < 0 || (stepCount >= 0 && stepIndex > stepCount) ? [outOfRange('/stepIndex', WRONG_STEP)] : []),
      ...documentIds.flatMap((id, index) =>
        mine.includes(id) ? [] : [{ pointer: `/documentIds/${index}`, code: 'onbekend' as const, ...UNKNOWN_DOCUMENT }],
      ),
    ];
    const [first] = errors;
    if (first !== undefined) throw new Problem('ongeldig-verzoek', first, { errors });
  },
);

const WRONG_COUNT = { detail: 'Het aantal stappen is 0 of meer.', english: 'The number of steps is 0 or more.' };
const WRONG_STEP = {
  detail: 'De stap is 0 of meer, en niet meer dan het aantal stappen.',
  english: 'The step is 0 or more, and not more than the number of steps.',
};

interface SyncFacts {
  readonly id: string;
  readonly expected: readonly number[] | null;
  // The new version, or the reason why nothing was changed.
  readonly found: number | string;
}

/** Throws 412 `versie-verouderd` when the request was based on another version. */
export const demandApplicationVersion = rule(
  'RFC 9110, 13.1',
  function demandApplicationVersion({ expected, found }: SyncFacts): void {
    if (found !== 'stale') return;
    const detail = 'Iemand heeft dit concept intussen gewijzigd. Lees het opnieuw en probeer het nog eens.';
    throw new Problem('versie-verouderd', expected?.length === 0 ? NO_VERSION_FITS : detail);
  },
);

interface SendingFacts {
  readonly id: string;
  readonly type: ApplicationType;
  readonly documentIds: readonly string[];
  // Other applications of the caller that the register has not decided.
  readonly open: readonly unknown[];
  // `overtaken`: another application of this type was submitted first. `document-gone`: one of the documents was
  // deleted meanwhile.
  readonly outcome: 'sending' | 'overtaken' | 'document-gone';
}

/**
 * Throws 409 `lopende-aanvraag` when another application of this type was submitted first, and 409
 * `aanvraag-onvolledig` when a document was deleted meanwhile.
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

// Not validated.
type DraftAnswers = Readonly<Record<string, unknown>>;

/** Returns the answers at the top level of a draft (domain.md 4.7); none when the draft is no object. */
export function answersIn(draft: string | null): DraftAnswers {
  const content: unknown = JSON.parse(draft ?? 'null');
  return typeof content === 'object' ? { ...content } : {};
}

/**
 * Returns the answer about training: that of the request `body`; if it has none, that of the draft; else null. When the
 * body has `scholing`, both members come from it, because points belong to the answer that they were given with
 * (domain.md 4.7).
 */
export function scholingAnswer(
  body: { readonly scholing?: unknown; readonly punten?: unknown },
  draft: DraftAnswers,
): { readonly scholing: unknown; readonly punten: unknown } {
  const isAnswered = body.scholing !== null && body.scholing !== undefined;
  return {
    scholing: body.scholing ?? draft.scholing ?? null,
    punten: body.punten ?? (isAnswered ? null : draft.punten) ?? null,
  };
}
