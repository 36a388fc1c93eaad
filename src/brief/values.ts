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

/** The values of the automatic placeholders of one letter. */
export interface LetterValues {
  readonly values: PlaceholderValues;
  /** True when the address in `values` is secret (geheim in the BRP), so that no answer may show it. */
  readonly geheim: boolean;
  /** The upstream data from which the values were made. Null for an approved letter: its values are stored. */
  readonly facts: LetterFacts | null;
}

/**
 * Returns the values of a letter's automatic placeholders. For an approved letter these are the stored values. For any
 * other letter they are the current values in the register and the BRP; when one of these fails, it throws
 * `UpstreamError`, because a letter with missing values must not look complete.
 *
 * @param today - date in the Netherlands, `YYYY-MM-DD`, which stands in for the date of sending
 */
export async function readLetterValues(
  deps: BriefDeps,
  brief: Brief,
  today: string,
  call: Call,
): Promise<LetterValues> {
  if (brief.frozen !== null) {
    const geheim = brief.frozen.geheim || (await isSecretNow(deps, brief, call));
    return { values: { ...brief.frozen.values, ...datesOf(brief) }, geheim, facts: null };
  }
  const facts = await factsOf(deps, brief, call);
  return { values: resolvePlaceholders(facts, today), geheim: facts.geadresseerde?.geheim ?? false, facts };
}

/**
 * Returns true when the address of the addressee is secret now. Returns true also when this is unknown, because the
 * register or the BRP gives no answer or the register no longer has the case. Returns false for an addressee without a
 * burgerservicenummer or without a record in the BRP. An approved letter contains the address of the time of approval,
 * and no answer may show that address once it is secret (domain.md 4.3).
 */
async function isSecretNow(deps: BriefDeps, { opdrachtId }: Brief, call: Call): Promise<boolean> {
  try {
    const opdracht = await deps.brieven.opdracht({ opdrachtId }, call);
    if (opdracht === null) return true;
    const { indiener } = opdracht;
    return 'bsn' in indiener && ((await deps.brp.geadresseerde(indiener.bsn, call))?.geheim ?? false);
  } catch (error) {
    if (error instanceof UpstreamError) return true;
    throw error;
  }
}

/**
 * Returns the values of the placeholders that depend on the date of sending, for an approved or sent letter. Before the
 * letter is sent, they are Dutch texts in place of dates. Returns no values for a letter that an older version of the
 * service approved, because its dates are stored in the letter.
 */
function datesOf({ frozen, sentAt }: Brief): PlaceholderValues {
  // An older version of the service stored these texts at the approval.
  if (frozen === null || frozen.values.datum_brief !== null) return {};
  return sentAt === null ? DATES_UNKNOWN : datesOfSending(dateOf(new Date(sentAt)));
}

/**
 * Returns what the letter rules need to know about placeholders: `use` returns who fills a placeholder in, or that the
 * letter may not have it, and `value` returns the text that replaces it.
 */
export const placeholdersOf = (brief: Brief, { values }: LetterValues): Placeholders => ({
  use: usesOf(brief),
  value: (key) => valueFor(values, key),
});

/**
 * Reads the case, the registration and the addressee of a letter from the register and the BRP. Throws `UpstreamError`
 * when a call fails or the case no longer exists.
 */
async function factsOf(deps: BriefDeps, { opdrachtId }: Brief, call: Call): Promise<LetterFacts> {
  const opdracht = await deps.brieven.opdracht({ opdrachtId }, call);
  if (opdracht === null)
    throw new UpstreamError('register', 'unreadable', 'the register no longer has the case of this letter');
  const { indiener } = opdracht;
  const [registraties, geadresseerde] = await Promise.all([
    deps.register.registraties(indiener, call),
    'bsn' in indiener ? deps.brp.geadresseerde(indiener.bsn, call) : null,
  ]);
  const registratie = registraties.find(({ id }) => id === opdracht.registratieId) ?? null;
  return { opdracht, registratie, geadresseerde };
}
