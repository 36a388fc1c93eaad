import { api, BASE, inWorld } from './api.js';

/** @import { Entry } from './types.d.ts' */

/** Entries that are asked for at once. */
const LIMIT = 200;
/** Milliseconds before a line that was refused is tried again; one that broke is taken up by the browser itself. */
const AGAIN = 5_000;

/**
 * The journal of a world: what there is, and then whatever comes. After a break all is asked for again, since the service may
 * have begun anew meanwhile.
 * @param {string} world
 * @param {Hearers} hear
 */
export function watch(world, hear) {
  const path = `${inWorld(world)}/journal`;
  /** What came since the list was asked for: it may be missing from it. @type {Set<number>} */
  const since = new Set();
  /** @type {EventSource} */
  let source;
  let timer = 0;
  let closed = false;

  function connect() {
    source = new EventSource(`${BASE}/${path}/stream`);
    source.addEventListener('entry', ({ data }) => {
      const entry = JSON.parse(data);
      since.add(entry.id);
      hear.arrived(entry);
    });
    // Asked for once the line is open, so that nothing falls between the two; whatever comes twice is known by its id.
    source.addEventListener('open', () => {
      hear.broken(false);
      again();
    });
    source.addEventListener('error', () => {
      hear.broken(true);
      if (source.readyState === EventSource.CLOSED && !closed) timer = setTimeout(connect, AGAIN);
    });
  }

  async function again() {
    since.clear();
    const entries = await api(`${path}?limit=${LIMIT}`).catch(() => null);
    if (!closed && entries !== null) hear.all(entries, since);
  }

  connect();
  return {
    /** Asks for all that there is once more. */
    again,
    close() {
      closed = true;
      clearTimeout(timer);
      source.close();
    },
  };
}

/**
 * @typedef {object} Hearers
 * @property {(entries: Entry[], since: ReadonlySet<number>) => void} all what there is, oldest first
 * @property {(entry: Entry) => void} arrived
 * @property {(broken: boolean) => void} broken
 */
