import { signal } from '@preact/signals';
import type * as z from 'zod';
import type { AdresDto } from 'zorgregister-bff/client';
import type { PersonaCard } from '../../control/schema.ts';
import { persona, showsSwitcher, world } from './session.ts';
import { addressText } from './words.ts';

type Person = z.output<typeof PersonaCard>;

/** An empty list until the personas are loaded, and when loading them fails. */
export const people = signal([] as Person[]);

export const peopleLoading = signal(true);

/** Loads the personas, and the user who is a generated person. Leaves those that are known when this fails. */
export async function loadPeople() {
  const also = persona === null ? '' : `?${new URLSearchParams({ also: persona })}`;
  const found = await fetch(`/_simulator/worlds/${encodeURIComponent(world)}/personas${also}`)
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  if (found !== null) people.value = found;
  peopleLoading.value = false;
}

loadPeople();
// Every screen uses them, and the world may be one of before a registration.
addEventListener('world-changed', loadPeople);

export const groupsOf = (some: readonly Person[]) =>
  [
    ['Zorgverleners', some.filter(({ kind }) => kind === 'professional')],
    ['Medewerkers', some.filter(({ kind }) => kind !== 'professional')],
  ] as const;

export const currentPerson = () => people.value.find(({ slug }) => slug === persona);

/** Returns true when the address is secret in the BRP. The API of the service does not say it. */
export const hasSecretAddress = () => currentPerson()?.nu?.geheim === true;

/** Returns the lines of a home that is no address in the Netherlands. The API of the service does not have it. */
export const homeElsewhere = () => currentPerson()?.nu?.woonplek ?? [];

/** Returns the home address on one line, which says when it is secret; `otherwise` without one. */
export const homeAddressText = (adres: AdresDto | null | undefined, otherwise: string) =>
  `${addressText(adres, homeElsewhere().join(', ') || otherwise)}${adres && hasSecretAddress() ? ' (geheim)' : ''}`;

/** Returns the name of the persona with this login, such as `drafter-dana@world`; the slug when it is not known. */
export function nameOfLogin(login: string) {
  const slug = login.replace(/@.*/, '');
  return people.value.find((one) => one.slug === slug)?.naam ?? slug;
}

export const worksOnLetters = () => (currentPerson()?.kind ?? 'professional') !== 'professional';

/** Returns the URL path of this page for a persona; for null, of the list of personas. */
export function addressAs(slug: string | null) {
  const search = new URLSearchParams({
    ...(slug !== null && { als: slug }),
    ...(world !== 'default' && { wereld: world }),
    ...(!showsSwitcher && { balk: 'nee' }),
  });
  return `/_simulator/mijn/?${search}`;
}

/** The URL path of the list of personas, which says that the user is logged out. */
export const LOGGED_OUT_PAGE = `${addressAs(null)}#/uitgelogd`;
