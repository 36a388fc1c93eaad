import { PERSONAS } from './personas.ts';

/**
 * The slugs of your own personas (guides/own-people.md), which the type `Persona` then accepts. Declare them as members,
 * in a file that imports `zorgregister-bff/client`:
 * `declare module 'zorgregister-bff/client' { interface OwnPersonas { 'kim-van-dam': true } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: a project that has its own personas adds the members
export interface OwnPersonas {}

type Slug = keyof typeof PERSONAS | keyof OwnPersonas | `burger-${number}`;

/**
 * The name of a fictional person: the slug of a persona or `burger-1` to `burger-999999`, optionally followed by `@`
 * and the name of a world.
 */
export type Persona = Slug | `${Slug}@${string}`;

/**
 * Returns the request headers that identify a persona. `world` is the name of a world. It is not used for a persona
 * that names its own world, such as `sanne-de-wit@demo`. An unknown slug is sent as `X-Subject`.
 */
export function personaHeaders(persona: Persona, world?: string): Record<string, string> {
  const [slug = '', own = world] = persona.split('@');
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = PERSONAS;
  const headers = Object.hasOwn(known, slug) ? known[slug] : undefined;
  const name = own === undefined || own === 'default' ? slug : `${slug}@${own}`;
  return Object.fromEntries(
    Object.entries(headers ?? { 'X-Subject': slug }).map(([header, value]) => [header, value === slug ? name : value]),
  );
}
