import type { Geslacht, Titelcode } from '../../fixtures/brp.ts';
import type { Person, Persona } from '../../fixtures/person.ts';

export interface Titel {
  /** A predicate comes before the initials; a title comes before the surname. */
  readonly soort: 'titel' | 'predicaat';
  readonly M: string;
  /** Undefined for a title that women do not have. */
  readonly V: string | undefined;
  /** The honour in the salutation, such as `Hooggeboren heer`. */
  readonly honour: 'Hoogwelgeboren' | 'Hooggeboren' | 'Hoogheid';
  /** True when the wife of a man with this title has its female form as a courtesy. */
  readonly isShared: boolean;
}

const titel = (M: string, V: string, honour: Titel['honour'] = 'Hoogwelgeboren'): Titel => ({
  soort: 'titel',
  M,
  V,
  honour,
  isShared: true,
});
const [BARON, GRAAF] = [titel('baron', 'barones'), titel('graaf', 'gravin', 'Hooggeboren')];
const [HERTOG, MARKIES] = [titel('hertog', 'hertogin'), titel('markies', 'markiezin')];
const PRINS = titel('prins', 'prinses', 'Hoogheid');
const RIDDER: Titel = { ...BARON, M: 'ridder', V: undefined, isShared: false };
const JONKHEER: Titel = { ...BARON, soort: 'predicaat', M: 'jonkheer', V: 'jonkvrouw', isShared: false };

/** The titles by their codes in table 38 of the BRP. A person can have the code of the other sex. */
export const TITELS: Readonly<Record<Titelcode, Titel>> = {
  B: BARON,
  BS: BARON,
  G: GRAAF,
  GI: GRAAF,
  H: HERTOG,
  HI: HERTOG,
  M: MARKIES,
  MI: MARKIES,
  P: PRINS,
  PS: PRINS,
  R: RIDDER,
  JH: JONKHEER,
  JV: JONKHEER,
};

/** The codes for women. */
export const FEMALE: ReadonlySet<Titelcode> = new Set(['BS', 'GI', 'HI', 'MI', 'PS', 'JV']);

/** Returns the form of a title for a person of this sex; for an unknown sex, that of the code. */
export function titleForm(code: Titelcode, geslacht: Geslacht): string {
  const { M, V = M } = TITELS[code];
  return geslacht === 'V' || (geslacht === 'O' && FEMALE.has(code)) ? V : M;
}

/** Returns words with one space between them, without those that are absent or empty. */
export const joined = (...words: readonly (string | undefined)[]): string =>
  words.filter(Boolean).join(' ').replace(/ {2,}/g, ' ');

/**
 * Returns the full name of a person without the name of a partner: predicate, first names, title, and surname with its
 * prefix. An unknown surname, which is a full stop, is left out when there is another name.
 */
export function fullName({ naam, geslacht, brp }: Pick<Person, 'naam' | 'geslacht' | 'brp'>): string {
  const code = brp?.adellijkeTitelPredicaat;
  const form = code && titleForm(code, geslacht);
  const names = code && TITELS[code].soort === 'predicaat' ? [form, naam.voornamen] : [naam.voornamen, form];
  return joined(...names, naam.voorvoegsel, naam.geslachtsnaam === '.' ? '' : naam.geslachtsnaam) || '.';
}

export const nameOf = (persona: Persona): string =>
  persona.kind === 'professional' ? fullName(persona.person) : persona.naam;

type Surname = Omit<Person['naam'], 'voornamen'>;

export const surnameOf = ({ voorvoegsel, geslachtsnaam }: Surname): Surname => ({
  ...(voorvoegsel && { voorvoegsel }),
  geslachtsnaam,
});

/** Splits a surname such as `van den Berg` into its prefix (`van den`) and the name (`Berg`). */
export function splitSurname(full: string): Surname {
  const at = full.search(/\p{Lu}/u);
  return surnameOf({ voorvoegsel: full.slice(0, at).trim(), geslachtsnaam: full.slice(at) });
}
