/** Converts values of code tables and names to the format of the BRP. */
import type { Titelcode } from '../../../fixtures/brp.ts';

/** Returns a value of a code table (a code with its description) in the format of the BRP. */
export const value = (code: string, omschrijving: string) => ({ code, omschrijving });

export const NEDERLAND = value('6030', 'Nederland');
export const GESLACHT = { V: value('V', 'vrouw'), M: value('M', 'man') };

/** A person's own name, without the name of a partner. */
export interface Naam {
  /** Absent or empty for a person who has one name. */
  readonly voornamen?: string;
  readonly voorvoegsel?: string;
  readonly geslachtsnaam: string;
  readonly adellijkeTitelPredicaat?: Titelcode;
}

/** Converts a name to the format of the BRP: first names, initials, prefix (if any) and surname. */
export const naamOf = ({ voornamen, voorvoegsel, geslachtsnaam }: Naam) => ({
  ...(voornamen && { voornamen, voorletters: voorletters(voornamen) }),
  ...(voorvoegsel && { voorvoegsel }),
  geslachtsnaam,
});

/** Returns the initials of first names: `J.A.` for `Jo Anne`. A name of one letter has no full stop: `E.Q`. */
export const voorletters = (voornamen: string): string =>
  voornamen
    .split(' ')
    .map((one) => one.slice(0, 1) + (one.length > 1 ? '.' : ' '))
    .join('')
    .trim();
