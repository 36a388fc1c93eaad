/** Dates, values of code tables and names in the format of the BRP. */
import { longDate } from '../../../src/wire/dates.ts';

/** Returns an entry of a code table, in the format of the BRP. */
export const value = (code: string, omschrijving: string) => ({ code, omschrijving });

/** Returns a date in the format of the BRP. */
export const datum = (day: string) => ({ type: 'Datum', datum: day, langFormaat: longDate(day) });

/** Returns a date of which only a part is known, in the format of the BRP. */
export function partOfDate(day: string, type: 'JaarMaandDatum' | 'JaarDatum' | 'DatumOnbekend') {
  const [jaar, maand] = day.split('-').map(Number);
  switch (type) {
    case 'JaarMaandDatum':
      return { type, jaar, maand, langFormaat: longDate(day).split(' ').slice(1).join(' ') };
    case 'JaarDatum':
      return { type, jaar, langFormaat: String(jaar) };
    case 'DatumOnbekend':
      return { type, onbekend: true, langFormaat: 'onbekend' };
  }
}

export const NEDERLAND = value('6030', 'Nederland');
export const GESLACHT = { V: value('V', 'vrouw'), M: value('M', 'man') };

/** A person's own name, without the name of a partner. */
export interface Naam {
  readonly voornamen: string;
  readonly voorvoegsel?: string;
  readonly geslachtsnaam: string;
}

/** Returns the members of a name in the BRP that every person has. */
export const naamOf = ({ voornamen, voorvoegsel, geslachtsnaam }: Naam) => ({
  voornamen,
  voorletters: voorletters(voornamen),
  ...(voorvoegsel && { voorvoegsel }),
  geslachtsnaam,
});

const voorletters = (voornamen: string): string =>
  voornamen
    .split(' ')
    .map((one) => `${one.slice(0, 1)}.`)
    .join('');

/** The ways to use a partner's name: for each code its description, and a function that combines the two surnames. */
const USES = {
  E: ['eigen geslachtsnaam', (own: string) => own],
  P: ['geslachtsnaam partner', (_: string, partner: string) => partner],
  V: ['geslachtsnaam partner voor eigen geslachtsnaam', (own: string, partner: string) => `${partner}-${own}`],
  N: ['geslachtsnaam partner na eigen geslachtsnaam', (own: string, partner: string) => `${own}-${partner}`],
} as const satisfies Record<string, readonly [string, (own: string, partner: string) => string]>;

/** Returns the value of `aanduidingNaamgebruik`. */
export const naamgebruik = (use: keyof typeof USES) => value(use, USES[use][0]);

/**
 * Returns the BRP's member `adressering` about names: how to write to and about a person, with the surname that the
 * person chose. A prefix such as "van" begins with a capital when no first name or initial is before it.
 */
export function aanschrijving(own: Naam, partner: Naam | null, use: keyof typeof USES, geslacht: 'M' | 'V') {
  const surname = ({ voorvoegsel, geslachtsnaam }: Naam) => [voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');
  const name = partner === null ? surname(own) : USES[use][1](surname(own), surname(partner));
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    aanhef: `Geachte ${geslacht === 'V' ? 'mevrouw' : 'heer'} ${capital}`,
    aanschrijfwijze: { naam: `${voorletters(own.voornamen)} ${name}` },
    gebruikInLopendeTekst: `${geslacht === 'V' ? 'mevrouw' : 'de heer'} ${capital}`,
  };
}
