import { signal } from '@preact/signals';
import { createClient } from 'zorgregister-bff/client';

/** @import { Persona } from 'zorgregister-bff/client' */

const { searchParams } = new URL(location.href);

/** The world of the simulator: `?wereld=demo`. */
export const world = searchParams.get('wereld') ?? 'default';
/** Who uses this page: `?als=sanne-de-wit`. Null until somebody is chosen. */
export const persona = searchParams.get('als');
/** False when the page is in a frame that has its own switcher: `?balk=nee`. */
export const showsSwitcher = searchParams.get('balk') !== 'nee';

/**
 * Today, as `YYYY-MM-DD`. It is the `Date` of the last answer and not the clock of this computer, because a
 * demonstration may be in another year.
 */
export const today = signal(new Date().toISOString().slice(0, 10));

/** `fetch` that keeps `today` up to date. @type {typeof fetch} */
async function fetchWithDate(url, options) {
  const response = await fetch(url, options);
  noteDate(response);
  return response;
}

/** Sets `today` to the date of an answer. @param {Response} response */
export function noteDate(response) {
  const date = response.headers.get('Date');
  const day = date && amsterdamDay(new Date(date));
  if (day && day !== today.value) today.value = day;
}

/** Returns the day in the Netherlands at a moment, as `YYYY-MM-DD`. @param {Date} moment */
const amsterdamDay = (moment) => moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' });

/** The client of the whole page. In production it would have `token` instead of `persona` and `world`. */
export const client = createClient({
  baseUrl: '',
  persona: /** @type {Persona} */ (persona ?? ''),
  world,
  fetch: fetchWithDate,
});

/** Returns the name under which this page keeps something for this person in this browser. @param {string} name */
export const placeOf = (name) => `mijn-register:${persona}@${world}:${name}`;
