import { maskRegisterNummer } from '../domain/identifiers.ts';
import { taalniveau, urennorm, WETSARTIKEL } from '../domain/professions.ts';
import { effectiveUhd } from '../domain/registraties.ts';
import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import { workdayFrom } from '../domain/workdays.ts';
import type { Brieven, Opdracht, Passage, PlaceholderDef, PlaceholderUse } from '../ports/brieven.ts';
import type { Brp, Geadresseerde } from '../ports/brp.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import { dateOf } from '../ports/clock.ts';
import type { Register, Registratie } from '../ports/register.ts';
import type { ApprovedLetter, Brief, BriefStore } from '../ports/store/brief-store.ts';
import { longDate, plusDays, plusYears } from '../wire/dates.ts';
import { withoutForbidden } from '../wire/rich-text.ts';

/** How one letter uses its placeholders (fields in its text), and the values of those that the server fills in. */
export interface Placeholders {
  readonly use: (key: string) => PlaceholderUse;
  /** Null for one that the server does not fill in, or has no value for. */
  readonly value: (key: string) => string | null;
}

/** The data of the register and the BRP about the case of a letter. */
export interface LetterFacts {
  readonly opdracht: Opdracht;
  /** The registration that is to be renewed; null for a first registration, or when the register no longer has it. */
  readonly registratie: Registratie | null;
  /** The name of the applicant in the register, of any registration; null without a registration. */
  readonly registerNaam: string | null;
  /**
   * The person to whom the letter is addressed; null when there is no burgerservicenummer or the BRP does not know the
   * person.
   */
  readonly geadresseerde: Geadresseerde | null;
}

/**
 * The values of the placeholders that the server fills in, keyed by placeholder. A value of several lines has a line
 * feed between them. Null for a placeholder without a value, and an empty text for one without which the letter is
 * complete.
 */
export type PlaceholderValues = Readonly<Record<string, string | null>>;

/**
 * The keys of the placeholders that depend on the date of sending. They get their value when the letter is sent,
 * because the term for an objection begins the day after the letter is sent (Awb 6:8).
 */
export const SENDING_DATE_KEYS: ReadonlySet<string> = new Set([
  'datum_brief',
  'nieuwe_herregistratiedatum',
  'zienswijze_tot',
]);

// Years from the date of sending to the next last date for renewal (domain.md 1.3).
const TERM_YEARS = 5;

const formatDate = (day: string | null | undefined): string | null => (day ? longDate(day) : null);
const formatNumber = (number: number | null): string | null => number?.toLocaleString('nl-NL') ?? null;

/**
 * Returns the values of the placeholders (fields in the text of a letter) that the server fills in (domain.md 6). A
 * value is null when the register and the BRP do not have it. Characters that a letter may not contain are left out: a
 * name or an address with them could look like another one.
 *
 * @param hasAanhef - false for a template from before the placeholder `aanhef`, which writes "Geachte {{aanspreekvorm}}"
 */
export function resolvePlaceholders(facts: LetterFacts, hasAanhef = true): PlaceholderValues {
  const { opdracht, registratie, registerNaam, geadresseerde } = facts;
  const naam = geadresseerde?.naam ?? registerNaam;
  const aanhef = geadresseerde?.aanhef ?? (naam && `Geachte ${naam}`);
  const values: PlaceholderValues = {
    naam,
    aanhef,
    aanspreekvorm: hasAanhef ? (geadresseerde?.aanspreekvorm ?? '') : (afterGeachte(aanhef) ?? naam),
    registernummer: registratie?.registerNummer ?? null,
    beroep: opdracht.beroep,
    uiterste_herregistratiedatum: formatDate(registratie ? effectiveUhd(registratie) : opdracht.uhd),
    urennorm: formatNumber(urennorm(opdracht.beroep)),
    referentie: opdracht.referentie,
    datum_aanvraag: formatDate(opdracht.datumAanvraag),
    uren_opgegeven: formatNumber(opdracht.urenOpgegeven),
    soort_aanvraag: opdracht.registratieId === null ? 'registratie' : 'herregistratie',
    wetsartikel: WETSARTIKEL[opdracht.beroep],
    taalniveau: taalniveau(opdracht.beroep),
    ...earlierValues(opdracht),
    ...DATES_UNKNOWN,
    ...(opdracht.besluit && { nieuwe_herregistratiedatum: newUhdOf(opdracht.besluit.datum) }),
  };
  const written = Object.entries(values).map(([key, value]) => [key, value && (withoutForbidden(value) || null)]);
  return { ...Object.fromEntries(written), ...addressOf(facts) };
}

/** The templates of the letters without a decision that a later decision can rest on (domain.md 4.8). */
export const AANVULLING = 'aanvulling-gevraagd';
export const VOORNEMEN = 'voornemen-afwijzing';

export const lastSent = (
  { eerder }: Pick<Opdracht, 'eerder'>,
  templateId: string,
): Opdracht['eerder'][number] | undefined => eerder.findLast((one) => one.templateId === templateId);

/** The placeholders that are filled in from an earlier letter, keyed by the template of that letter. */
export const EARLIER_KEYS: Readonly<Record<string, readonly string[]>> = {
  [AANVULLING]: ['datum_verzoek', 'reactiedatum', 'ontbrekende_bewijsstukken'],
  [VOORNEMEN]: ['datum_voornemen', 'reactie_voornemen'],
};

// Returns the dates of earlier letters; empty texts when no such letter was sent.
function earlierValues(opdracht: Opdracht) {
  const [asked, announced] = [lastSent(opdracht, AANVULLING), lastSent(opdracht, VOORNEMEN)];
  return {
    datum_verzoek: asked ? longDate(asked.verzondenOp) : '',
    reactiedatum: asked ? longDate(asked.reactieTot) : '',
    ontbrekende_bewijsstukken: asked?.waarover ?? '',
    datum_voornemen: announced ? longDate(announced.verzondenOp) : '',
    reactie_voornemen: announced ? longDate(announced.reactieTot) : '',
  };
}

// Returns the first line of the address, and all lines after it. Both are null when the address is unknown, and empty
// when there is none and the letter needs none (domain.md 6, "Addressee").
function addressOf(facts: LetterFacts) {
  const known = addressLinesOf(facts);
  const lines = known?.map(withoutForbidden).filter((line) => line.trim() !== '') ?? [];
  if (known === null || (known.length > 0 && lines.length === 0))
    return { adresregel: null, postcode_woonplaats: null };
  return { adresregel: lines[0] ?? '', postcode_woonplaats: lines.slice(1).join('\n') };
}

// Returns the lines of the address; null when they are unknown, also for a deceased person. For somebody without an
// address the list is empty: the BRP was asked about a burgerservicenummer, so the letter goes to the Berichtenbox.
function addressLinesOf({ opdracht, geadresseerde }: LetterFacts): readonly string[] | null {
  const postal = opdracht.correspondentieadres;
  if (postal !== null) return [postal.adresregel, postal.postcodeWoonplaats];
  if (geadresseerde === null || geadresseerde.overleden) return null;
  if (geadresseerde.adresregels.length > 0 && !geadresseerde.verblijftNietOpAdres) return geadresseerde.adresregels;
  const adres = woonadres(geadresseerde);
  if (adres === null) return [];
  const place = [adres.postcode, adres.woonplaats].filter((part) => part).join(' ');
  return place === '' ? null : [adres.straat ?? '', place];
}

/**
 * Returns the values of the placeholders that depend on the date of sending, as Dutch texts.
 *
 * @param day - date of sending, `YYYY-MM-DD`
 */
export const datesOfSending = (day: string) => ({
  datum_brief: longDate(day),
  nieuwe_herregistratiedatum: newUhdOf(day),
  zienswijze_tot: longDate(reactieTotOf(day)),
});

const newUhdOf = (decidedOn: string): string => longDate(plusYears(decidedOn, TERM_YEARS));

/** Returns the last day for a reaction to an intended refusal that is sent on `day`: two weeks later, or the next workday. */
export const reactieTotOf = (day: string): string => workdayFrom(plusDays(day, 14));

/** The texts that a letter shows in place of the dates of sending until it is sent. */
export const DATES_UNKNOWN: PlaceholderValues = {
  datum_brief: 'datum van verzending',
  nieuwe_herregistratiedatum: 'vijf jaar na de datum van verzending',
  zienswijze_tot: 'twee weken na de datum van verzending',
};

// `mevrouw Van Dijk` for the BRP's `Geachte mevrouw Van Dijk`; null for another form.
const afterGeachte = (aanhef: string | null): string | null => /^Geachte (\S.*)$/.exec(aanhef ?? '')?.[1] ?? null;

/** Placeholders of the address, which are hidden when the address is secret. */
export const ADDRESS_KEYS: ReadonlySet<string> = new Set(['adresregel', 'postcode_woonplaats']);

interface VisibleFacts {
  /** True when the address of the addressee is secret (geheim) in the BRP. */
  readonly geheim: boolean;
  /** True when the caller asked for the full register number and has a strong and recent login (step-up). */
  readonly steppedUp: boolean;
  readonly values: PlaceholderValues;
}

/**
 * Returns the values of placeholders as an answer may show them: a secret address becomes `(geheim)`, and without a
 * step-up the register number shows only its last two digits.
 */
export const visibleValues = rule(
  'domain.md 4.2; domain.md 4.3, "Geheimhouding"; specification.md, "Authentication 4"',
  function visibleValues({ geheim, steppedUp, values }: VisibleFacts): PlaceholderValues {
    const show = (key: string, value: string | null): string | null => {
      if (value === null) return null;
      if (geheim && ADDRESS_KEYS.has(key)) return '(geheim)';
      return key === 'registernummer' ? maskRegisterNummer({ registerNummer: value, steppedUp }).registerNummer : value;
    };
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, show(key, value)]));
  },
);

/** Returns a function that says how a letter uses a placeholder: `vervallen` for an unknown one too. */
export function usesOf({ placeholders }: Pick<Brief, 'placeholders'>): (key: string) => PlaceholderUse {
  const byKey = new Map(placeholders.map((one): [string, PlaceholderUse] => [one.key, useOf(one)]));
  return (key) => byKey.get(key) ?? 'vervallen';
}

function useOf({ autoResolvable, fillable, deprecated }: PlaceholderDef): PlaceholderUse {
  if (deprecated) return 'vervallen';
  if (autoResolvable) return 'auto';
  return fillable ? 'fillable' : 'vervallen';
}

/** Returns the value of a placeholder; null when it has none. Any text can be a key, also `__proto__`. */
export const valueFor = (values: PlaceholderValues, key: string): string | null =>
  Object.hasOwn(values, key) ? (values[key] ?? null) : null;

export interface BriefDeps {
  readonly register: Register;
  readonly brp: Brp;
  readonly brieven: Brieven;
  readonly briefStore: BriefStore;
}

/** The values of the placeholders that the server fills in, for one letter. */
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
 */
export async function readLetterValues(deps: BriefDeps, brief: ReadableLetter, call: Call): Promise<LetterValues> {
  if (brief.frozen !== null) {
    const geheim = brief.frozen.geheim || (await isSecretNow(deps, brief, call));
    return { values: { ...brief.frozen.values, ...datesOf(brief.frozen, brief.sentAt) }, geheim, facts: null };
  }
  const facts = await factsOf(deps, brief, call);
  const hasAanhef = brief.placeholders.some(({ key }) => key === 'aanhef');
  return { values: resolvePlaceholders(facts, hasAanhef), geheim: facts.geadresseerde?.geheim ?? false, facts };
}

// Returns whether the address is secret; true also when that is unknown because an upstream fails or the case is gone
// (domain.md 4.3).
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

// Returns the dates of a letter: before sending, texts such as "datum van verzending". Empty for a letter whose stored
// values already have these texts.
function datesOf({ values }: ApprovedLetter, sentAt: string | null): PlaceholderValues {
  // An older version of the service stored these texts at the approval.
  if (values.datum_brief !== null) return {};
  return sentAt === null ? DATES_UNKNOWN : datesOfSending(dateOf(new Date(sentAt)));
}

export interface LetterSources {
  readonly values: LetterValues;
  /** The passages for the profession of the letter. */
  readonly passages: readonly Passage[];
}

/** Returns what `readLetterValues` does, and the passages. */
export async function readLetterSources(deps: BriefDeps, brief: Brief, call: Call): Promise<LetterSources> {
  const [values, passages] = await Promise.all([
    readLetterValues(deps, brief, call),
    deps.brieven.passages(brief.beroep, call),
  ]);
  return { values, passages };
}

export const placeholdersOf = (brief: Brief, { values }: LetterValues): Placeholders => ({
  use: usesOf(brief),
  value: (key) => valueFor(values, key),
});

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
