import type { Person, Persona } from '../../fixtures/person.ts';

/** Returns the whole name of a person: the first names, and the surname with its prefix. */
export const fullName = ({ voornamen, voorvoegsel, geslachtsnaam }: Person['naam']): string =>
  [voornamen, voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');

/** Returns the whole name of a persona. */
export const nameOf = (persona: Persona): string =>
  persona.kind === 'professional' ? fullName(persona.person.naam) : persona.naam;
