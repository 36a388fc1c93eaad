import type { Persona } from '../../fixtures/person.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { nameOf } from '../people/names.ts';

export type IssuerKind = 'professional' | 'staff';

/** A person who can log in, with the claims of that person's tokens. */
export interface LoginPerson {
  /** The claim `sub`: `<slug>`, or `<slug>@<world>`. */
  readonly sub: string;
  readonly name: string;
  /**
   * The claims of an access token besides `sub`: the roles and, for a professional who has one, the
   * burgerservicenummer.
   */
  readonly claims: Readonly<Record<string, string | readonly string[]>>;
}

/** Returns the personas (simulated persons with a name) who can log in at this kind of issuer. */
export const personasOf = (kind: IssuerKind, directory: PeopleDirectory): readonly Persona[] =>
  directory.personas().filter((persona) => (persona.kind === 'staff') === (kind === 'staff'));

/**
 * Returns the person of this kind with this login (`<slug>` or `<slug>@<world>`); null when there is none. A
 * burgerservicenummer is not accepted as login.
 */
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
