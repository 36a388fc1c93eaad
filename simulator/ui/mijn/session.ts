import { signal } from '@preact/signals';
import type { Persona } from 'zorgregister-bff/client';
import { createClient } from 'zorgregister-bff/client';

const { searchParams } = new URL(location.href);

/** Name of the world, from the address: `?wereld=demo`. */
export const world = searchParams.get('wereld') ?? 'default';
/** Slug of the persona, from the address: `?als=sanne-de-wit`; null when none is chosen. */
export const persona = searchParams.get('als');
export const showsSwitcher = searchParams.get('balk') !== 'nee';

/** The day in the world, as `YYYY-MM-DD`: of the `Date` header of the last answer, before that of this computer. */
export const today = signal(new Date().toISOString().slice(0, 10));

async function fetchWithDate(...request: Parameters<typeof fetch>) {
  const response = await fetch(...request);
  noteDate(response);
  return response;
}

/** Sets `today` from the `Date` header of an answer. */
export function noteDate(response: Response) {
  const date = response.headers.get('Date');
  const day = date && amsterdamDay(new Date(date));
  if (day && day !== today.value) today.value = day;
}

const amsterdamDay = (moment: Date) => moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' });

/** The client of the service, for the persona and the world of this page. */
export const client = createClient({ baseUrl: '', persona: (persona ?? '') as Persona, world, fetch: fetchWithDate });

/** Returns the key in the storage of the browser for data of this persona in this world. */
export const placeOf = (name: string) => `mijn-register:${persona}@${world}:${name}`;

const LOGGED_OUT = placeOf('uitgelogd');

/** Forgets what the user typed in this tab. Pages of before that Back finds are then those of somebody who logged out. */
export function logOut() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(placeOf(''))) sessionStorage.removeItem(key);
  sessionStorage.setItem(LOGGED_OUT, 'ja');
}

/** Returns true until the user opens this page in another way than with Back, Forward or a reload. */
export const isLoggedOut = () => sessionStorage.getItem(LOGGED_OUT) !== null;

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (navigation?.type === 'navigate') sessionStorage.removeItem(LOGGED_OUT);
