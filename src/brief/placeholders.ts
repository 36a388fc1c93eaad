import { maskRegisterNummer } from '../domain/register-number.ts';
import { rule } from '../domain/rule.ts';
import { urennorm } from '../domain/urennorm.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Brief } from '../ports/brief-store.ts';
import type { Opdracht, PlaceholderDef, PlaceholderUse } from '../ports/brieven.ts';
import type { Geadresseerde } from '../ports/brp.ts';
import type { Registratie } from '../ports/register.ts';
import { longDate, plusYears } from '../wire/dates.ts';

/** What the sources say about the case of a letter. */
export interface LetterFacts {
  readonly opdracht: Opdracht;
  /** Null when the register has no such registration. */
  readonly registratie: Registratie | null;
  /** Null when the BRP knows nobody by that number, or there is no number to ask by. */
  readonly geadresseerde: Geadresseerde | null;
}

/** What each placeholder of the server stands for; null: the sources have no value for it. */
export type Values = Readonly<Record<string, string | null>>;

/** A new term is five years from the decision (domain.md 1.3). */
const TERM_YEARS = 5;

const grouped = new Intl.NumberFormat('nl-NL');
const ofDate = (day: string | null | undefined): string | null => (day ? longDate(day) : null);
const ofNumber = (number: number | null): string | null => (number === null ? null : grouped.format(number));

/**
 * The values of all placeholders that the server fills (domain.md 6), for a letter of the given day. That day is the one of
 * approval, since what is approved is what goes out; until then it is today. The address is the one where the BRP says that
 * someone lives, and the register's own where it knows of none.
 */
export function resolve({ opdracht, registratie, geadresseerde }: LetterFacts, day: string): Values {
  const adres = woonadres(geadresseerde);
  const elsewhere = opdracht.correspondentieadres;
  const naam = geadresseerde?.naam ?? registratie?.naam ?? null;
  return {
    naam,
    aanspreekvorm: aanspreekvorm(geadresseerde?.aanhef ?? null) ?? naam,
    adresregel: adres === null ? (elsewhere?.adresregel ?? null) : adres.straat,
    postcode_woonplaats:
      adres === null
        ? (elsewhere?.postcodeWoonplaats ?? null)
        : [adres.postcode, adres.woonplaats].filter((part) => part !== null).join(' ') || null,
    registernummer: registratie?.registerNummer ?? null,
    beroep: opdracht.beroep,
    uiterste_herregistratiedatum: ofDate(registratie?.uhd),
    urennorm: ofNumber(urennorm(opdracht.beroep)),
    referentie: opdracht.referentie,
    datum_aanvraag: ofDate(opdracht.datumAanvraag),
    uren_opgegeven: ofNumber(opdracht.urenOpgegeven),
    datum_brief: ofDate(day),
    nieuwe_herregistratiedatum: ofDate(plusYears(day, TERM_YEARS)),
  };
}

/** The BRP's `Geachte mevrouw Van Dijk` after the word that the letter has already; a form of nobility has another word. */
const aanspreekvorm = (aanhef: string | null): string | null => /^Geachte (\S.*)$/.exec(aanhef ?? '')?.[1] ?? null;

const ADDRESS = new Set(['adresregel', 'postcode_woonplaats']);

/** What decides how much of the values of the placeholders one caller may see. */
interface VisibleFacts {
  /** Whether the BRP says that the address is secret. */
  readonly geheim: boolean;
  readonly steppedUp: boolean;
  readonly values: Values;
}

/** The values as an answer may show them: never a secret address (domain 4.3), the register number as after its own rule (4.2). */
export const visibleValues = rule(
  'domain 4.2, 4.3, Geheimhouding; specification, Authentication 4',
  function visibleValues({ geheim, steppedUp, values }: VisibleFacts): Values {
    const show = (key: string, value: string | null): string | null => {
      if (value === null) return null;
      if (geheim && ADDRESS.has(key)) return '(geheim)';
      return key === 'registernummer' ? maskRegisterNummer({ registerNummer: value, steppedUp }).registerNummer : value;
    };
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, show(key, value)]));
  },
);

/** How one letter may use each placeholder, whatever its name. */
export function usesOf({ placeholders }: Pick<Brief, 'placeholders'>): (key: string) => PlaceholderUse {
  const byKey = new Map(placeholders.map((one): [string, PlaceholderUse] => [one.key, useOf(one)]));
  return (key) => byKey.get(key) ?? 'vervallen';
}

function useOf({ autoResolvable, fillable, deprecated }: PlaceholderDef): PlaceholderUse {
  if (deprecated) return 'vervallen';
  if (autoResolvable) return 'auto';
  return fillable ? 'fillable' : 'vervallen';
}

/** The value of a placeholder of the server, whatever its name. */
export const valueFor = (values: Values, key: string): string | null =>
  Object.hasOwn(values, key) ? (values[key] ?? null) : null;
