/** Converts values of code tables, names and dates to the format of the BRP. */
import type { Land, PartlyKnown, Titelcode } from '../../../fixtures/brp.ts';
import { longDate } from '../../../src/wire/dates.ts';

/** Returns a value of a code table (a code with its description) in the format of the BRP. */
export const value = (code: string, omschrijving: string) => ({ code, omschrijving });

/** The code for an unknown country, municipality or nationality. */
export const ONBEKEND = '0000';
export const NEDERLAND = value('6030', 'Nederland');
/** Returns the member `land` of a group; no member for an unknown country. */
export const knownLand = (land: Land) => (land.code === ONBEKEND ? {} : { land });
export const GESLACHT = { V: value('V', 'vrouw'), M: value('M', 'man'), O: value('O', 'onbekend') };

export interface Naam {
  /** Absent or empty for a person who has one name. */
  readonly voornamen?: string;
  readonly voorvoegsel?: string;
  readonly geslachtsnaam: string;
  readonly adellijkeTitelPredicaat?: Titelcode;
}

/** False for a full stop, which the BRP has for an unknown name. */
export const isKnown = (text: string): boolean => text !== '.';

/** Converts a name to the format of the BRP: first names, initials, prefix (if any) and surname, if it is known. */
export const naamOf = ({ voornamen, voorvoegsel, geslachtsnaam }: Naam) => ({
  ...(voornamen && { voornamen, voorletters: voorletters(voornamen) }),
  ...(voorvoegsel && { voorvoegsel }),
  ...(isKnown(geslachtsnaam) && { geslachtsnaam }),
});

/** Returns the initials of first names: `J.A.` for `Jo Anne`. A name of one letter has no full stop: `E.Q`. */
export const voorletters = (voornamen: string): string =>
  voornamen
    .split(/ +/)
    .map((one) => {
      const [first = ''] = /^.\p{M}*/u.exec(one) ?? [];
      return first + (one === first ? ' ' : '.');
    })
    .join('')
    .trim();

/** Converts a date `YYYY-MM-DD` to the format of the BRP, with the date in Dutch words. */
export const toBrpDate = (day: string) => ({ type: 'Datum' as const, datum: day, langFormaat: longDate(day) });

/** Converts a date `YYYY-MM-DD` to the format of the BRP. Leaves out the parts that `type` says are not known. */
export function toPartialBrpDate(day: string, type: PartlyKnown | 'Datum' = 'Datum') {
  const [jaar, maand] = day.split('-').map(Number);
  switch (type) {
    case 'Datum':
      return toBrpDate(day);
    case 'JaarMaandDatum':
      return { type, jaar, maand, langFormaat: longDate(day).split(' ').slice(1).join(' ') };
    case 'JaarDatum':
      return { type, jaar, langFormaat: String(jaar) };
    case 'DatumOnbekend':
      return { type, onbekend: true, langFormaat: 'onbekend' };
  }
}

export type BrpDate = ReturnType<typeof toPartialBrpDate>;

/**
 * Returns the member `inOnderzoek` of a group whose members `names` are under investigation from the day `since`; no
 * member when that is null. `date` is the name of the member with that day.
 */
export const inOnderzoek = (since: string | null, names: readonly string[], date = 'datumIngangOnderzoek') =>
  since === null
    ? {}
    : { inOnderzoek: { ...Object.fromEntries(names.map((name) => [name, true])), [date]: toBrpDate(since) } };
