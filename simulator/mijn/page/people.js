import { signal } from '@preact/signals';
import { persona, world } from './session.js';

/**
 * A persona of the simulator: a made-up person with a story (`toont`, in Dutch). `kind` is `professional` for a
 * healthcare professional, `letter` for a person who only works on letters, and `staff` for staff of the register.
 * @typedef {{ slug: string, naam: string, kind: 'professional' | 'letter' | 'staff', toont: string }} Person
 */

/**
 * The personas of the simulator, from its control API; empty until they have arrived, or when the call for them failed.
 * A real register has no such list: it is only for choosing a persona and for the menu.
 */
export const people = signal(/** @type {Person[]} */ ([]));

/** True until the list of personas has arrived, or the call for it has failed. */
export const peopleLoading = signal(true);

fetch(`/_simulator/worlds/${encodeURIComponent(world)}/personas`)
  .then((answer) => (answer.ok ? answer.json() : []))
  .catch(() => [])
  .then((found) => {
    people.value = found;
    peopleLoading.value = false;
  });

/**
 * Returns the persona as whom the page is used. Returns undefined when `people` does not contain that persona: before
 * the list has arrived, after the call for it has failed, and for a generated citizen such as `burger-12`.
 */
export const self = () => people.value.find(({ slug }) => slug === persona);

/**
 * Returns the name of the persona with this login. For a person who is not in the list of personas, returns the login
 * without its world.
 * @param {string} login the slug; in another world than the default one followed by `@<world>`
 */
export function nameOfLogin(login) {
  const slug = login.replace(/@.*/, '');
  return people.value.find((one) => one.slug === slug)?.naam ?? slug;
}

/**
 * Returns true when the persona of this page works on letters; false for a professional. A person who is not in the
 * list of personas counts as a professional.
 */
export const worksOnLetters = () => (self()?.kind ?? 'professional') !== 'professional';

/**
 * Returns the URL path of this page for a persona in the world `inWorld`. When `inWorld` is absent, it is the world
 * that this page shows.
 * @param {string} slug
 * @param {string} [inWorld]
 */
export function addressAs(slug, inWorld = world) {
  const search = new URLSearchParams({ als: slug, ...(inWorld !== 'default' && { wereld: inWorld }) });
  return `/_simulator/mijn/?${search}`;
}
