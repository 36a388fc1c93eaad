import { PERSONAS } from './personas.ts';

type Slug = keyof typeof PERSONAS | `burger-${number}`;

/** Somebody made up: by name, `burger-1` … `burger-999999`, and `@<world>` behind it for a world of their own. */
export type Persona = Slug | `${Slug}@${string}`;

/** The headers that a persona calls with. Whoever is not one of ours is sent as `X-Subject`, for the service to judge. */
export function personaHeaders(persona: Persona, world?: string): Record<string, string> {
  const [slug = '', own = world] = persona.split('@');
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = PERSONAS;
  const headers = Object.hasOwn(known, slug) ? known[slug] : undefined;
  const name = own === undefined || own === 'default' ? slug : `${slug}@${own}`;
  return Object.fromEntries(
    Object.entries(headers ?? { 'X-Subject': slug }).map(([header, value]) => [header, value === slug ? name : value]),
  );
}
