/** The fictitious person whose data replace those of a test person of a real upstream. */
import type { Person } from '../../fixtures/person.ts';
import { isDate } from '../../src/wire/dates.ts';
import { burger } from '../people/burger.ts';
import { dateAt, dayOf } from '../people/days.ts';

/** The day that each recording is moved to, so that a file does not say when it was made. */
export const VANDAAG = '2000-01-01';

type Adres = Extract<Person['verblijfplaats'], { soort: 'adres' }>;

/** Gives the values that replace those of one test person. The same original gets the same replacement. */
export interface Replacement {
  readonly naam: Person['naam'];
  /** The whole name, as registers store it. */
  readonly volledigeNaam: string;
  /** Surname with its prefix, which begins with a capital, as in a salutation. */
  readonly achternaam: string;
  readonly adres: Adres;
  readonly person: Person;
  /** Returns the date as it would be if the recording had been made on `VANDAAG`; null when it is not a date. */
  day(original: string): string | null;
  /** Returns another date of birth; null when the original is not a date. */
  birthday(original: string): string | null;
  /** Returns the number of an original among the originals of its kind, counted from 1 in order of first use. */
  count(kind: string, original: string): number;
  /** Records an original value that may not be in the file. */
  forget(original: string): void;
  /** Records a public text that is in the file on purpose, such as the name of an institution with a town in it. */
  keep(text: string): void;
  /** Returns true when one of the originals is in this JSON text, apart from the public texts. */
  hasLeaked(json: string): boolean;
}

/** Numbers of generated citizens in one look for a name and address that differ from those of the test person. */
const CITIZENS = 999_999;

/**
 * Returns a replacement by a generated citizen. `draw` chooses the citizen, and must give another number below 1 at each
 * call. `recordedOn` is the day of the recording, `YYYY-MM-DD`.
 */
export function createReplacement(recordedOn: string, draw: () => number): Replacement {
  const { person, adres } = citizen(recordedOn, draw);
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
    day: (original) => moved(original, 0),
    birthday: (original) => moved(original, days),
    count(kind, original) {
      const known = numbers.get(kind) ?? new Map<string, number>();
      numbers.set(kind, known);
      const number = known.get(original) ?? known.size + 1;
      known.set(original, number);
      return number;
    },
    forget: (original) => originals.add(original.trim()),
    keep: (text) => kept.add(text),
    hasLeaked(json) {
      const rest = [...kept].reduce((left, text) => left.replaceAll(JSON.stringify(text), '""'), json);
      return [...originals].some((original) => original.length >= MIN_LENGTH && isIn(rest, original));
    },
  };
}

/** Minimum length of an original that is looked for in a file: a shorter one, such as "de", says nothing. */
const MIN_LENGTH = 3;

/** Returns true when the words of `searched` are in a text, in any case. A part of a word is not a match. */
function isIn(given: string, searched: string): boolean {
  const [text, original] = [given.toLowerCase(), searched.toLowerCase()];
  const isWordAt = (at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(original); at !== -1; at = text.indexOf(original, at + 1))
    if (!isWordAt(at - 1) && !isWordAt(at + original.length)) return true;
  return false;
}

/** Returns a generated citizen with an address in the Netherlands. */
function citizen(firstDay: string, draw: () => number): { person: Person; adres: Adres } {
  for (;;) {
    const person = burger(`burger-${1 + Math.floor(draw() * CITIZENS)}`, firstDay);
    if (person?.verblijfplaats.soort === 'adres') return { person, adres: person.verblijfplaats };
  }
}
