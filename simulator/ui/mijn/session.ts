import { signal } from '@preact/signals';
import type { Persona } from 'zorgregister-bff/client';
import { createClient } from 'zorgregister-bff/client';

const { searchParams } = new URL(location.href);

/** Name of the world from the address: `?wereld=demo`. A world is a copy of all people and data of the simulator. */
export const world = searchParams.get('wereld') ?? 'default';
/** Slug of the persona as whom this page is used, from the address: `?als=sanne-de-wit`. Null until one is chosen. */
export const persona = searchParams.get('als');
/** True when the page shows the bar in which the user chooses a persona; false when the address has `?balk=nee`. */
export const showsSwitcher = searchParams.get('balk') !== 'nee';

/**
 * A signal (a value that redraws the page when it changes) with the current day in the world, as `YYYY-MM-DD`. The day
 * comes from the `Date` header of answers. Before the first answer it is the day of this computer, in UTC.
 */
export const today = signal(new Date().toISOString().slice(0, 10));

/** Does the same as `fetch`, and sets `today` from the answer. */
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

/** Returns the date in the Netherlands at a moment, as `YYYY-MM-DD`. */
const amsterdamDay = (moment: Date) => moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' });

/** The client of the service, for the persona and the world of this page. */
export const client = createClient({
  baseUrl: '',
  persona: (persona ?? '') as Persona,
  world,
  fetch: fetchWithDate,
});

/**
 * Returns the key for `localStorage` or `sessionStorage` under which data of this persona in this world are stored.
 * @param name what is stored
 */
export const placeOf = (name: string) => `mijn-register:${persona}@${world}:${name}`;
