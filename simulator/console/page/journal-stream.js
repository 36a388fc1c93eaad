import { api, BASE, inWorld } from './api.js';

/** @import { Entry } from './types.d.ts' */

/** Entries that are asked for at once. */
const LIMIT = 200;

/**
 * The journal of a world: what is there, and then whatever comes. The browser resumes after a break by itself.
 * @param {string} world
 * @param {number | null} after the last entry that is already known
 * @param {{ entry: (entry: Entry) => void, arrived: (entry: Entry) => void, broken: (broken: boolean) => void }} hear
 */
export function watch(world, after, hear) {
  const path = `${inWorld(world)}/journal`;
  const source = new EventSource(`${BASE}/${path}/stream`);
  let closed = false;

  source.addEventListener('entry', ({ data }) => {
    const entry = JSON.parse(data);
    hear.entry(entry);
    hear.arrived(entry);
  });
  // Asked for once the stream is open, so that nothing falls between the two; whatever comes twice is known by its id.
  source.addEventListener('open', async () => {
    hear.broken(false);
    const since = after === null ? '' : `&after=${after}`;
    const entries = await api(`${path}?limit=${LIMIT}${since}`).catch(() => []);
    if (!closed) for (const entry of entries) hear.entry(entry);
  });
  source.addEventListener('error', () => hear.broken(true));

  return {
    close() {
      closed = true;
      source.close();
    },
  };
}
