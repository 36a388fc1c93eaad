import { effectiveUhd } from '../domain/herregistratie.ts';
import { maskRegisterNummer } from '../domain/register-number.ts';
import { rule } from '../domain/rule.ts';
import { urennorm } from '../domain/urennorm.ts';
import { taalniveau, WETSARTIKEL } from '../domain/wetsartikel.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Opdracht, PlaceholderDef, PlaceholderUse } from '../ports/brieven.ts';
import type { Geadresseerde } from '../ports/brp.ts';
import type { Registratie } from '../ports/register.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import { longDate, plusDays, plusYears } from '../wire/dates.ts';
import { dutchNumber } from '../wire/numbers.ts';
import { withoutForbidden } from '../wire/rich-text.ts';

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
 * The values of the placeholders (fields in the text of a letter) that the server fills in, keyed by placeholder. A value
 * of several lines has a line feed between them. Null for a placeholder without a value, and an empty text for one
 * without which the letter is complete.
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

/** Number of years from the date of sending to the next last date for renewal of the registration (domain.md 1.3). */
const TERM_YEARS = 5;

const formatDate = (day: string | null | undefined): string | null => (day ? longDate(day) : null);
const formatNumber = (number: number | null): string | null => (number === null ? null : dutchNumber(number));

/**
 * Returns the values of the placeholders (fields in the text of a letter) that the server fills in (domain.md 6). A
 * value is null when the register and the BRP do not have it. Characters that a letter may not contain are left out: a
 * name or an address with them could look like another one.
 *
 * @param day - date of the letter, `YYYY-MM-DD`: today for a draft
 * @param hasAanhef - false for a template from before the placeholder `aanhef`, which writes "Geachte {{aanspreekvorm}}"
 */
export function resolvePlaceholders(facts: LetterFacts, day: string, hasAanhef = true): PlaceholderValues {
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
    ...datesOfSending(day, opdracht.besluit?.datum),
  };
  const written = Object.entries(values).map(([key, value]) => [key, value && (withoutForbidden(value) || null)]);
  return { ...Object.fromEntries(written), ...addressOf(facts) };
}

/** The templates of the letters without a decision that a later decision can rest on (domain.md 4.8). */
export const AANVULLING = 'aanvulling-gevraagd';
export const VOORNEMEN = 'voornemen-afwijzing';

/** Returns the last letter with this template that was sent about the case; undefined when there is none. */
export const lastSent = (
  { eerder }: Pick<Opdracht, 'eerder'>,
  templateId: string,
): Opdracht['eerder'][number] | undefined => eerder.findLast((one) => one.templateId === templateId);

/** The placeholders that are filled in from an earlier letter, keyed by the template of that letter. */
export const EARLIER_KEYS: Readonly<Record<string, readonly string[]>> = {
  [AANVULLING]: ['datum_verzoek', 'reactiedatum', 'ontbrekende_bewijsstukken'],
  [VOORNEMEN]: ['datum_voornemen', 'reactie_voornemen'],
};

/** Returns the values of the placeholders in `EARLIER_KEYS`: empty texts when no such letter was sent. */
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

/**
 * Returns the values of the placeholders of the address (domain.md 6, "Addressee"). The second one has all lines after
 * the first. Both are null when the address is unknown, and empty when there is none and the letter needs none.
 */
function addressOf(facts: LetterFacts) {
  const known = addressLinesOf(facts);
  const lines = known?.map(withoutForbidden).filter((line) => line.trim() !== '') ?? [];
  if (known === null || (known.length > 0 && lines.length === 0))
    return { adresregel: null, postcode_woonplaats: null };
  return { adresregel: lines[0] ?? '', postcode_woonplaats: lines.slice(1).join('\n') };
}

/**
 * Returns the address lines of the correspondence address in the register or, without one, of the BRP. Null when they are
 * unknown, also for a deceased person. For somebody without an address the list is empty: the BRP was asked about a
 * burgerservicenummer, so the letter goes to the Berichtenbox.
 */
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
 * @param decidedOn - day of the decision on the case, when that was not decided by sending the letter
 */
export const datesOfSending = (day: string, decidedOn = day) => ({
  datum_brief: longDate(day),
  nieuwe_herregistratiedatum: longDate(plusYears(decidedOn, TERM_YEARS)),
  zienswijze_tot: longDate(reactieTotOf(day)),
});

/** Returns the last day for a reaction to an intended refusal that is sent on `day`: two weeks later (Awb 4:7). */
export const reactieTotOf = (day: string): string => plusDays(day, 14);

/** The texts that an approved letter shows in place of the dates of sending until it is sent. */
export const DATES_UNKNOWN: PlaceholderValues = {
  datum_brief: 'datum van verzending',
  nieuwe_herregistratiedatum: 'vijf jaar na de datum van verzending',
  zienswijze_tot: 'twee weken na de datum van verzending',
};

/** Returns `mevrouw Van Dijk` for the BRP's `Geachte mevrouw Van Dijk`; null for another form and for null. */
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
 * step-up (a stronger login) the register number shows only its last two digits.
 */
export const visibleValues = rule(
  'domain 4.2, 4.3, Geheimhouding; specification.md, "Authentication 4"',
  function visibleValues({ geheim, steppedUp, values }: VisibleFacts): PlaceholderValues {
    const show = (key: string, value: string | null): string | null => {
      if (value === null) return null;
      if (geheim && ADDRESS_KEYS.has(key)) return '(geheim)';
      return key === 'registernummer' ? maskRegisterNummer({ registerNummer: value, steppedUp }).registerNummer : value;
    };
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, show(key, value)]));
  },
);

/**
 * Returns a function that says who fills in the placeholder with a key: the server (`auto`) or the drafter (`fillable`).
 * It returns `vervallen` for a placeholder that may not be used, such as an unknown one.
 */
export function usesOf({ placeholders }: Pick<Brief, 'placeholders'>): (key: string) => PlaceholderUse {
  const byKey = new Map(placeholders.map((one): [string, PlaceholderUse] => [one.key, useOf(one)]));
  return (key) => byKey.get(key) ?? 'vervallen';
}

function useOf({ autoResolvable, fillable, deprecated }: PlaceholderDef): PlaceholderUse {
  if (deprecated) return 'vervallen';
  if (autoResolvable) return 'auto';
  return fillable ? 'fillable' : 'vervallen';
}

/**
 * Returns the value of the placeholder with this key; null when there is none. Any text can be a key, also `__proto__`.
 */
export const valueFor = (values: PlaceholderValues, key: string): string | null =>
  Object.hasOwn(values, key) ? (values[key] ?? null) : null;
