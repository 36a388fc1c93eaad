import { signal } from '@preact/signals';
import { persona, world } from './session.js';

/**
 * A persona of the simulator.
 * @typedef {{ slug: string, naam: string, kind: 'professional' | 'letter' | 'staff', toont: string }} Person
 */

/**
 * The personas of the simulator, from its control API. A real register has no such list; only the bar of the simulator,
 * the mailbox and the menu use it.
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

/** Returns the persona who uses the page; undefined for a person who is not in the list, such as `burger-12`. */
export const self = () => people.value.find(({ slug }) => slug === persona);

/** Returns true when the user is an employee: only employees work on letters, professionals do not. */
export const worksOnLetters = () => (self()?.kind ?? 'professional') !== 'professional';

/**
 * Returns the address of this page for another persona, and possibly in another world.
 * @param {string} slug
 * @param {string} [inWorld]
 */
export function addressAs(slug, inWorld = world) {
  const search = new URLSearchParams({ als: slug, ...(inWorld !== 'default' && { wereld: inWorld }) });
  return `/_simulator/mijn/?${search}`;
}
