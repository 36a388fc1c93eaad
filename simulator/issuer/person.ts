import type { Persona } from '../../fixtures/person.ts';
import type { PeopleDirectory } from '../people/directory.ts';

/** For whom an issuer is. */
export type IssuerKind = 'professional' | 'staff';

/** A person who can log in. */
export interface LoginPerson {
  /** The claim `sub`: `<slug>`, or `<slug>@<world>`. */
  readonly sub: string;
  readonly name: string;
  /** The claims of an access token that say who it is and what the person may do. */
  readonly claims: Readonly<Record<string, string | readonly string[]>>;
}

/** Returns the personas who log in at an issuer, in the order of the list of personas. */
export const personasOf = (kind: IssuerKind, directory: PeopleDirectory): readonly Persona[] =>
  directory.personas().filter((persona) => (persona.kind === 'staff') === (kind === 'staff'));

/** Returns the person with this login, `<slug>` or `<slug>@<world>`; null when this issuer does not know them. */
export function personOf(kind: IssuerKind, directory: PeopleDirectory, login: string): LoginPerson | null {
  const slug = login.split('@')[0] ?? '';
  const persona = directory.persona(slug);
  const name = persona === undefined ? slug : nameOf(persona);
  if (kind === 'staff') {
    const known = directory.staff(login);
    if (known === null || persona?.kind !== 'staff') return null;
    return { sub: known.subject, name, claims: { roles: persona.rollen } };
  }
  const known = directory.professional(login);
  if (known === null || /^\d+$/.test(login)) return null;
  const roles = persona?.kind === 'letter' ? [persona.role] : [];
  return { sub: known.subject, name, claims: { ...(known.bsn !== null && { bsn: known.bsn }), roles } };
}

/** Returns the name of a persona, as a person writes it. */
export function nameOf(persona: Persona): string {
  if (persona.kind !== 'professional') return persona.naam;
  const { voornamen, voorvoegsel, geslachtsnaam } = persona.person.naam;
  return [voornamen, voorvoegsel, geslachtsnaam].filter(Boolean).join(' ');
}
