import { type Call, UpstreamError } from '../ports/call.ts';
import { dateOf } from '../ports/clock.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import type { BriefDeps } from './deps.ts';
import {
  DATES_UNKNOWN,
  datesOfSending,
  type LetterFacts,
  type PlaceholderValues,
  resolvePlaceholders,
  usesOf,
  valueFor,
} from './placeholders.ts';
import type { Placeholders } from './rules.ts';

/** The values of the placeholders (fields in the text of a letter) that the server fills in, for one letter. */
export interface LetterValues {
  readonly values: PlaceholderValues;
  /** True when the address in `values` is secret (geheim in the BRP), so that no answer may show it. */
  readonly geheim: boolean;
  /** The upstream data from which the values were made; null for an approved letter, whose values are stored. */
  readonly facts: LetterFacts | null;
}

/** The members of a letter from which the values of its placeholders follow. */
export type ReadableLetter = Pick<Brief, 'opdrachtId' | 'frozen' | 'sentAt' | 'placeholders'>;

/**
 * Returns the values of the placeholders that the server fills in: the stored values of an approved letter, otherwise
 * the current values in the register and the BRP. Throws `UpstreamError` when current values cannot be read.
 *
 * @param today - date in the Netherlands, `YYYY-MM-DD`, used as the date of sending of a letter that is not approved
 */
export async function readLetterValues(
  deps: BriefDeps,
  brief: ReadableLetter,
  today: string,
  call: Call,
): Promise<LetterValues> {
  if (brief.frozen !== null) {
    const geheim = brief.frozen.geheim || (await isSecretNow(deps, brief, call));
    return { values: { ...brief.frozen.values, ...datesOf(brief) }, geheim, facts: null };
  }
  const facts = await factsOf(deps, brief, call);
  const hasAanhef = brief.placeholders.some(({ key }) => key === 'aanhef');
  return { values: resolvePlaceholders(facts, today, hasAanhef), geheim: facts.geadresseerde?.geheim ?? false, facts };
}

/**
 * Returns true when the address of the addressee is secret now, or when that is unknown because an upstream fails or
 * the case is gone (domain.md 4.3).
 */
async function isSecretNow(deps: BriefDeps, { opdrachtId }: ReadableLetter, call: Call): Promise<boolean> {
  try {
    const opdracht = await deps.brieven.opdracht({ opdrachtId }, call);
    if (opdracht === null) return true;
    const { indiener } = opdracht;
    return 'bsn' in indiener && (await deps.brp.isGeheim(indiener.bsn, call));
  } catch (error) {
    if (error instanceof UpstreamError) return true;
    throw error;
  }
}

/**
 * Returns the values of the placeholders that depend on the date of sending, for an approved or sent letter. Before
 * sending they are texts such as "datum van verzending". Empty for a letter whose stored values already have these
 * texts.
 */
function datesOf({ frozen, sentAt }: ReadableLetter): PlaceholderValues {
  // An older version of the service stored these texts at the approval.
  if (frozen === null || frozen.values.datum_brief !== null) return {};
  return sentAt === null ? DATES_UNKNOWN : datesOfSending(dateOf(new Date(sentAt)));
}

/**
 * Returns functions about the placeholders of a letter: who fills in a placeholder (`use`), and the server's value
 * (`value`).
 */
export const placeholdersOf = (brief: Brief, { values }: LetterValues): Placeholders => ({
  use: usesOf(brief),
  value: (key) => valueFor(values, key),
});

/**
 * Returns the data about a letter from the register and the BRP. Throws `UpstreamError` when a call fails or the
 * register no longer has the assignment for the letter.
 */
async function factsOf(deps: BriefDeps, { opdrachtId }: ReadableLetter, call: Call): Promise<LetterFacts> {
  const opdracht = await deps.brieven.opdracht({ opdrachtId }, call);
  if (opdracht === null)
    throw new UpstreamError('register', 'unreadable', 'the register no longer has the case of this letter');
  const { indiener } = opdracht;
  const [registraties, geadresseerde] = await Promise.all([
    deps.register.registraties(indiener, call),
    'bsn' in indiener ? deps.brp.geadresseerde(indiener.bsn, call) : null,
  ]);
  const registratie = registraties.find(({ id }) => id === opdracht.registratieId) ?? null;
  const registerNaam = (registratie ?? registraties[0])?.naam ?? null;
  return { opdracht, registratie, registerNaam, geadresseerde };
}
