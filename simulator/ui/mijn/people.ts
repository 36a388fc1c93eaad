import { signal } from '@preact/signals';
import { persona, world } from './session.ts';

/** A persona of the simulator: a fictional person with a story (`toont`, in Dutch). */
type Person = { slug: string; naam: string; kind: 'professional' | 'letter' | 'staff'; toont: string };

/** A signal with the personas of the simulator; an empty list until they are loaded, and when loading them fails. */
export const people = signal([] as Person[]);

/** A signal that is true while the list of personas is being loaded. */
export const peopleLoading = signal(true);

fetch(`/_simulator/worlds/${encodeURIComponent(world)}/personas`)
  .then((answer) => (answer.ok ? answer.json() : []))
  .catch(() => [])
  .then((found) => {
    people.value = found;
    peopleLoading.value = false;
  });

/** Returns the persona as whom the page is used; undefined when `people` does not contain that persona. */
export const currentPerson = () => people.value.find(({ slug }) => slug === persona);

/**
 * Returns the name of the persona with this login. When `people` does not contain that persona, returns the slug.
 * @param login the slug (short name) of a persona; in another world than the default one followed by `@` and
 *   the name of the world
 */
export function nameOfLogin(login: string) {
  const slug = login.replace(/@.*/, '');
  return people.value.find((one) => one.slug === slug)?.naam ?? slug;
}

/** Returns true when the persona of this page is in `people` and is not a professional. */
export const worksOnLetters = () => (currentPerson()?.kind ?? 'professional') !== 'professional';

/** Returns the URL path of this page for a persona in the world of this page; null is nobody, who then chooses a persona. */
export function addressAs(slug: string | null) {
  const search = new URLSearchParams({
    ...(slug !== null && { als: slug }),
    ...(world !== 'default' && { wereld: world }),
  });
  return `/_simulator/mijn/?${search}`;
}
