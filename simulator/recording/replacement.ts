/** The fictional person whose data replace the data of a test person of a real upstream. */
import type { Person } from '../../fixtures/person.ts';
import { isDate } from '../../src/wire/dates.ts';
import { burger } from '../people/burger.ts';
import { dateAt, dayOf } from '../people/days.ts';

/** The date to which the dates in each recording are moved, so that a file does not show when it was recorded. */
export const VANDAAG = '2000-01-01';

type Adres = Extract<Person['verblijfplaats'], { soort: 'adres' }>;

/**
 * The data of a fictional person, which replace the data of one test person in a recording. Also records the original
 * values, to check that none of them is in the file.
 */
export interface Replacement {
  readonly naam: Person['naam'];
  /** The full name: first names, prefix (if any) and surname, separated by spaces. */
  readonly volledigeNaam: string;
  /** The surname with its prefix, which begins with a capital, as in a salutation. */
  readonly achternaam: string;
  readonly adres: Adres;
  readonly person: Person;
  /**
   * Returns a date `YYYY-MM-DD`, moved by the number of days from the day of the recording to `VANDAAG`. Null when
   * `original` is not a date.
   */
  moveDate(original: string): string | null;
  /**
   * Returns a date of birth, moved as by `moveDate` and then 1 to 180 days earlier or later. Null when `original` is
   * not a date.
   */
  moveBirthDate(original: string): string | null;
  /**
   * Returns a number that replaces an original value: 1 for the first value of its kind (such as `referentie`), 2 for
   * the second. The same value always gets the same number.
   */
  numberOf(kind: string, original: string): number;
  /** Records an original value of the test person, which must not be in the file (see `hasLeaked`). */
  recordOriginal(original: string): void;
  /**
   * Records a public text that may be in the file, such as the name of an institution, also when it contains an
   * original value, such as the name of a town.
   */
  allowText(text: string): void;
  /**
   * Returns true when a JSON text contains a value that `recordOriginal` recorded, as whole words in any letter case.
   * Ignores values of less than three characters, and the texts that `allowText` recorded.
   */
  hasLeaked(json: string): boolean;
}

const CITIZENS = 999_999;

/**
 * Returns a random generated citizen as replacement. `recordedOn` is the day of the recording, `YYYY-MM-DD`; `draw`
 * returns a random number from 0 to 1.
 */
export function createReplacement(recordedOn: string, draw: () => number): Replacement {
  const { person, adres } = drawCitizen(recordedOn, draw);
  const { voornamen, voorvoegsel, geslachtsnaam } = person.naam;
  const surname = [voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');
  const shift = dayOf(VANDAAG) - dayOf(recordedOn);
  const days = (draw() < 0.5 ? -1 : 1) * (1 + Math.floor(draw() * 180));
  const moved = (original: string, more: number) => (isDate(original) ? dateAt(dayOf(original) + shift + more) : null);
  const numbers = new Map<string, Map<string, number>>();
  const originals = new Set<string>();
  const kept = new Set<string>();
  return {
    person,
    adres,
    naam: person.naam,
    volledigeNaam: `${voornamen} ${surname}`,
    achternaam: surname.charAt(0).toUpperCase() + surname.slice(1),
    moveDate: (original) => moved(original, 0),
    moveBirthDate: (original) => moved(original, days),
    numberOf(kind, original) {
      const known = numbers.get(kind) ?? new Map<string, number>();
      numbers.set(kind, known);
      const number = known.get(original) ?? known.size + 1;
      known.set(original, number);
      return number;
    },
    recordOriginal: (original) => originals.add(original.trim()),
    allowText: (text) => kept.add(text),
    hasLeaked(json) {
      const rest = [...kept].reduce((left, text) => left.replaceAll(JSON.stringify(text), '""'), json);
      return [...originals].some((original) => original.length >= MIN_LENGTH && containsWords(rest, original));
    },
  };
}

/**
 * Minimum length, in characters, of an original value that is searched in a file. A shorter one, such as "de", is in
 * many files.
 */
const MIN_LENGTH = 3;

/** Returns true when a text contains the words of `searched`, in capitals or not. A part of a word does not count. */
function containsWords(given: string, searched: string): boolean {
  const [text, original] = [given.toLowerCase(), searched.toLowerCase()];
  const isWordAt = (at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(original); at !== -1; at = text.indexOf(original, at + 1))
    if (!isWordAt(at - 1) && !isWordAt(at + original.length)) return true;
  return false;
}

/** Returns a random generated citizen with an address in the Netherlands, with dates relative to `firstDay`. */
function drawCitizen(firstDay: string, draw: () => number): { person: Person; adres: Adres } {
  for (;;) {
    const person = burger(`burger-${1 + Math.floor(draw() * CITIZENS)}`, firstDay);
    if (person?.verblijfplaats.soort === 'adres') return { person, adres: person.verblijfplaats };
  }
}
