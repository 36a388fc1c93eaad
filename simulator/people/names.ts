import type { Person, Persona } from '../../fixtures/person.ts';

/** Returns the whole name of a person: the first names, and the surname with its prefix. */
export const fullName = ({ voornamen, voorvoegsel, geslachtsnaam }: Person['naam']): string =>
  [voornamen, voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');

/** Returns the whole name of a persona. */
export const nameOf = (persona: Persona): string =>
  persona.kind === 'professional' ? fullName(persona.person.naam) : persona.naam;

/** A surname: the prefix, such as `van den`, and the name. */
type Surname = Omit<Person['naam'], 'voornamen'>;

/** Returns the surname in a name. An empty prefix is left out. */
export const surnameOf = ({ voorvoegsel, geslachtsnaam }: Surname): Surname => ({
  ...(voorvoegsel && { voorvoegsel }),
  geslachtsnaam,
});

/** Splits a surname such as `van den Berg` into its prefix (`van den`) and the name (`Berg`). */
export function splitSurname(full: string): Surname {
  const at = full.search(/\p{Lu}/u);
  return surnameOf({ voorvoegsel: full.slice(0, at).trim(), geslachtsnaam: full.slice(at) });
}
