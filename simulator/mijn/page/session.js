import { signal } from '@preact/signals';
import { createClient } from 'zorgregister-bff/client';

/** @import { Persona } from 'zorgregister-bff/client' */

const { searchParams } = new URL(location.href);

/** Name of the world from the address: `?wereld=demo`. A world is a copy of all people and data of the simulator. */
export const world = searchParams.get('wereld') ?? 'default';
/** Slug of the persona as whom this page is used, from the address: `?als=sanne-de-wit`. Null until one is chosen. */
export const persona = searchParams.get('als');
/**
 * True when the page shows a bar in which the user chooses a persona. It is false when the address has `?balk=nee`: the
 * console, which shows this page in a frame, has its own list of personas.
 */
export const showsSwitcher = searchParams.get('balk') !== 'nee';

/**
 * A signal (a value that redraws the page when it changes) of the current day as `YYYY-MM-DD`. It follows the `Date`
 * header of the last answer and not the clock of this computer, because the clock of a world can be changed. Before the
 * first answer it is the day of this computer.
 */
export const today = signal(new Date().toISOString().slice(0, 10));

/** Does the same as `fetch`, and sets `today` from the answer. @type {typeof fetch} */
async function fetchWithDate(url, options) {
  const response = await fetch(url, options);
  noteDate(response);
  return response;
}

/** Sets `today` from the `Date` header of an answer. @param {Response} response */
export function noteDate(response) {
  const date = response.headers.get('Date');
  const day = date && amsterdamDay(new Date(date));
  if (day && day !== today.value) today.value = day;
}

/** Returns the date in the Netherlands at a moment, as `YYYY-MM-DD`. @param {Date} moment */
const amsterdamDay = (moment) => moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' });

/**
 * The client with which every screen calls the service. A page for production would pass `token` in place of `persona`
 * and `world`.
 */
export const client = createClient({
  baseUrl: '',
  persona: /** @type {Persona} */ (persona ?? ''),
  world,
  fetch: fetchWithDate,
});

/** Returns the key in the storage of the browser for data of this persona in this world. @param {string} name */
export const placeOf = (name) => `mijn-register:${persona}@${world}:${name}`;
