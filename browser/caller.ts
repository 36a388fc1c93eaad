import { personaHeaders } from '../fixtures/headers.ts';
import type { PeopleDirectory } from '../simulator/people/directory.ts';
import { nearestTo } from '../simulator/text.ts';

export type CallerHeaders = Readonly<Record<string, string>>;

/**
 * Returns the request headers that identify a persona or `burger-<n>` (a generated citizen), optionally followed by `@`
 * and the name of a world. Throws when there is no such person, or when `name` is a number.
 */
export function callerOf(directory: PeopleDirectory, name: string): CallerHeaders {
  const persona = directory.persona(name.split('@')[0] ?? '');
  if (persona?.kind === 'staff' && directory.staff(name) !== null) return personaHeaders(persona, name);
  // Refuse a number as a name: it could be the burgerservicenummer of a real person.
  if (/^\d+$/.test(name) || directory.professional(name) === null)
    throw unknownName(
      'persona',
      name,
      directory.personas().map(({ slug }) => slug),
    );
  return persona === undefined ? { 'X-Subject': name } : personaHeaders(persona, name);
}

/**
 * Returns the error for an unknown name. Its message suggests the three most similar names in `known`. `what` says what
 * the name is for, such as `scenario`.
 */
export function unknownName(what: string, name: string, known: readonly string[]): Error {
  const nearest = nearestTo(name.toLowerCase().slice(0, 64), known);
  return new Error(`handlers: there is no ${what} "${name}"; the nearest are ${nearest.join(', ')}`);
}

const IDENTIFYING = ['X-Subject', 'X-Medewerker'];

/**
 * Returns the headers `sent`, with additions. Adds the headers of `caller` when no header identifies a caller, and a
 * bearer token when there is none. Adds nothing when `caller` is null.
 */
export function withCaller(sent: Headers, caller: CallerHeaders | null): Headers {
  // As pairs: the Headers of MSW 2 cannot copy those of a form.
  const headers = new Headers([...sent]);
  if (caller === null) return headers;
  if (!headers.has('Authorization')) headers.set('Authorization', 'Bearer dev');
  if (IDENTIFYING.some((name) => headers.has(name))) return headers;
  for (const [name, value] of Object.entries(caller)) if (!headers.has(name)) headers.set(name, value);
  return headers;
}
