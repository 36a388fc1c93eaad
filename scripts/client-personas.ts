import { personaHeaders } from '../fixtures/headers.ts';
import type { Persona } from '../fixtures/person.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';

/** The text of `client/personas.ts`: the request headers of each persona. */
export function clientPersonas(): string {
  const entries = PERSONAS.flatMap((persona) => [
    `  /** ${persona.shows} */`,
    `  '${persona.slug}': ${literalOf(persona)},`,
  ]);
  return [
    '/** Made by `npm run client` from the personas; not to be edited. */',
    '',
    '/** With which headers each persona calls. */',
    'export const PERSONAS = {',
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

const literalOf = (persona: Persona): string =>
  `{ ${Object.entries(personaHeaders(persona))
    .map(([name, value]) => `'${name}': '${value}'`)
    .join(', ')} }`;
