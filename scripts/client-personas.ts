import type { Persona } from '../fixtures/person.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';

/** The whole of `client/personas.ts`: how each persona is called, so that whoever uses the client need not know. */
export function clientPersonas(): string {
  const entries = PERSONAS.flatMap((persona) => [
    `  /** ${persona.shows} */`,
    `  '${persona.slug}': ${headersOf(persona)},`,
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

function headersOf(persona: Persona): string {
  if (persona.kind === 'staff')
    return `{ 'X-Medewerker': '${persona.slug}', 'X-Rollen': '${persona.rollen.join(',')}' }`;
  const role = persona.kind === 'letter' ? `, 'X-Role': '${persona.role}'` : '';
  return `{ 'X-Subject': '${persona.slug}'${role} }`;
}
