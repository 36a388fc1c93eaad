/** Converts values of code tables and names to the format of the BRP. */

/** Returns a value of a code table (a code with its description) in the format of the BRP. */
export const value = (code: string, omschrijving: string) => ({ code, omschrijving });

export const NEDERLAND = value('6030', 'Nederland');
export const GESLACHT = { V: value('V', 'vrouw'), M: value('M', 'man') };

/** A person's own name, without the name of a partner. */
export interface Naam {
  readonly voornamen: string;
  readonly voorvoegsel?: string;
  readonly geslachtsnaam: string;
}

/** Converts a name to the format of the BRP: first names, initials, prefix (if any) and surname. */
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

/**
 * The ways to use the surname of a partner: for each code its description, and a function that combines the two
 * surnames.
 */
const USES = {
  E: ['eigen geslachtsnaam', (own: string) => own],
  P: ['geslachtsnaam partner', (_: string, partner: string) => partner],
  V: ['geslachtsnaam partner voor eigen geslachtsnaam', (own: string, partner: string) => `${partner}-${own}`],
  N: ['geslachtsnaam partner na eigen geslachtsnaam', (own: string, partner: string) => `${own}-${partner}`],
} as const satisfies Record<string, readonly [string, (own: string, partner: string) => string]>;

/** Returns the BRP's code for how a person uses the surname of the partner (`aanduidingNaamgebruik`). */
export const naamgebruik = (use: keyof typeof USES) => value(use, USES[use][0]);

/**
 * Returns how to address a person in a letter, on an envelope and in a sentence: members of the BRP's `adressering`.
 * `use` decides whether the surname of the partner is used, and in which order.
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
