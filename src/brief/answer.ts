import type { Caller } from '../auth/identity.ts';
import { decide } from '../domain/rule.ts';
import type { Answer } from '../http/exchange.ts';
import type { Request } from '../http/operation/operation.ts';
import type { Passage } from '../ports/brieven.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import { PROBLEMS, type ProblemCode } from '../problem-codes.ts';
import { etagOf } from '../wire/brief-etag.ts';
import { offeredPassages, recordProcessing } from './current.ts';
import type { BriefDeps } from './deps.ts';
import { usesOf, valueFor, visibleValues } from './placeholders.ts';
import { type PlaceholderText, toBriefDto, toLibraryPassage } from './present.ts';
import type { BriefDto, BriefViewDto } from './schema.ts';
import { type Action, TRANSITIONS } from './transitions.ts';
import { type LetterValues, type ReadableLetter, readLetterValues } from './values.ts';

/**
 * Returns a function that gives the text to show for a placeholder (a field in the text of a letter): the server's
 * value as this caller may see it, or the text that the drafter typed. Null when there is none.
 */
export function placeholderTextFor(
  brief: Brief,
  { values, geheim }: LetterValues,
  { steppedUp, onDecision }: Pick<Request, 'steppedUp' | 'onDecision'>,
): PlaceholderText {
  const visible = decide(onDecision, visibleValues, { geheim, steppedUp, values });
  const use = usesOf(brief);
  return (key, typed) => (use(key) === 'auto' ? valueFor(visible, key) : typed);
}

/**
 * Returns the 200 answer with a letter and its ETag. A secret address is hidden, and so is most of the register number
 * for a caller without a step-up (a stronger login).
 */
export const briefAnswer = (
  request: Pick<Request, 'steppedUp' | 'onDecision'>,
  brief: Brief,
  values: LetterValues,
): Answer => ({
  status: 200,
  body: toBriefDto(brief, placeholderTextFor(brief, values, request)) satisfies BriefDto,
  headers: { ETag: etagOf(brief) },
});

/** What the register and the BRP have for the answer with a letter. */
interface BriefSources {
  /** The assignment (opdracht) of the letter for which these data were read. */
  readonly opdrachtId: string;
  readonly passages: readonly Passage[];
  readonly values: LetterValues;
}

/**
 * Returns the data for the answer with a letter, which need not be stored yet. Throws `UpstreamError` when the register
 * or the BRP fails.
 */
export async function readBriefSources(
  deps: BriefDeps,
  { call, today }: Pick<Request, 'call' | 'today'>,
  letter: ReadableLetter & Pick<Brief, 'beroep'>,
): Promise<BriefSources> {
  const [passages, values] = await Promise.all([
    deps.brieven.passages(letter.beroep, call),
    readLetterValues(deps, letter, today, call),
  ]);
  return { opdrachtId: letter.opdrachtId, passages, values };
}

/**
 * Returns the 200 answer with a letter, and the standard texts (passages) that may be inserted in it. When `brief` is
 * null, the answer has `brief: null` and no passages. Throws `UpstreamError` when the register or the BRP fails.
 *
 * @param known - data that were read before; they are read again when they are about another assignment
 */
export async function readBriefView(
  deps: BriefDeps,
  request: Request<Caller>,
  brief: Brief | null,
  known?: BriefSources,
): Promise<Answer> {
  if (brief === null) return { status: 200, body: { brief: null, availablePassages: [] } satisfies BriefViewDto };
  recordProcessing(brief, request.processingDetails);
  const isKnown = known?.opdrachtId === brief.opdrachtId;
  const { passages, values } = isKnown ? known : await readBriefSources(deps, request, brief);
  const body: BriefViewDto = {
    brief: toBriefDto(brief, placeholderTextFor(brief, values, request)),
    availablePassages: offeredPassages(passages, brief).map(toLibraryPassage),
  };
  return { status: 200, body, headers: { ETag: etagOf(brief) } };
}

/** Returns the problem codes with which an action on a letter can be refused, grouped by HTTP status. */
export function problemsOf(action: Action): Record<number, ProblemCode[]> {
  const found: Record<number, ProblemCode[]> = {};
  for (const code of TRANSITIONS[action].refusals) {
    const { status } = PROBLEMS[code];
    found[status] = [...(found[status] ?? []), code];
  }
  return found;
}
