import { signal } from '@preact/signals';
import { persona, showsSwitcher, world } from './session.ts';

/** A persona of the simulator: a fictional person with a story (`toont`, in Dutch). */
type Person = {
  slug: string;
  naam: string;
  kind: 'professional' | 'letter' | 'staff';
  toont: string;
  nu: { registraties: readonly PersonRegistration[] } | null;
};

/**
 * A registration of a persona now. `uhd` is the deadline for herregistratie; null without one. `reason` says why
 * herregistratie is not possible now (in Dutch), and is null when it is.
 */
type PersonRegistration = {
  beroep: string;
  sinds: string;
  status: string;
  uhd: string | null;
  reason: string | null;
};

/** A signal with the personas of the simulator; an empty list until they are loaded, and when loading them fails. */
export const people = signal([] as Person[]);

/** A signal that is true while the list of personas is being loaded. */
export const peopleLoading = signal(true);

/** Loads the personas, and leaves those that are known when this fails. */
export async function loadPeople() {
  const found = await fetch(`/_simulator/worlds/${encodeURIComponent(world)}/personas`)
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  if (found !== null) people.value = found;
  peopleLoading.value = false;
}

loadPeople();

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
    ...(!showsSwitcher && { balk: 'nee' }),
  });
  return `/_simulator/mijn/?${search}`;
}
