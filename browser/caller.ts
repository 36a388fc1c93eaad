import leven from 'leven';
import { personaHeaders } from '../fixtures/headers.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';
import { createDirectory } from '../simulator/people/directory.ts';

/** Headers that say who calls, for a request that does not say so itself. */
export type CallerHeaders = Readonly<Record<string, string>>;

const SLUGS = PERSONAS.map(({ slug }) => slug);

/** The headers of a persona or `burger-<n>`, in a world of its own if it is named with one. Throws when there is no such person. */
export function callerOf(name: string): CallerHeaders {
  const persona = PERSONAS.find(({ slug }) => slug === name.split('@')[0]);
  const directory = createDirectory();
  if (persona?.kind === 'staff' && directory.staff(name) !== null) return personaHeaders(persona, name);
  // A number is nobody's name: it could be a real person's.
  if (/^\d+$/.test(name) || directory.professional(name) === null) throw unknownName('persona', name, SLUGS);
  return persona === undefined ? { 'X-Subject': name } : personaHeaders(persona, name);
}

/** An error that names the nearest of what is known. */
export function unknownName(what: string, name: string, known: readonly string[]): Error {
  const nearest = known
    .map((one) => ({ one, far: leven(name.toLowerCase().slice(0, 64), one) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ one }) => one);
  return new Error(`handlers: there is no ${what} "${name}"; the nearest are ${nearest.join(', ')}`);
}

const IDENTIFYING = ['X-Subject', 'X-Medewerker'];

/** The headers of a request, withCaller with who calls where it names nobody. */
export function withCaller(sent: Headers, caller: CallerHeaders | null): Headers {
  const headers = new Headers(sent);
  if (caller === null) return headers;
  if (!headers.has('Authorization')) headers.set('Authorization', 'Bearer dev');
  if (IDENTIFYING.some((name) => headers.has(name))) return headers;
  for (const [name, value] of Object.entries(caller)) if (!headers.has(name)) headers.set(name, value);
  return headers;
}
