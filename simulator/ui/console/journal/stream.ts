import { BASE, inWorld, pageOf } from '../app/api.ts';
import type { Entry } from '../types.d.ts';
import { PAGE_SIZE, query } from './entries.tsx';

/** Milliseconds until an event stream (server-sent events) that was refused is opened again. */
const RETRY_DELAY = 5_000;

/**
 * Subscribes to the journal (the recorded requests to the service) of a world, and calls the listeners. Returns
 * `reload`, a function that requests the list of entries again, and `close`, a function that ends the subscription.
 */
export function watch(world: string, listeners: JournalListeners) {
  const path = `${inWorld(world)}/journal`;
  /**
   * Ids of the entries that arrived after the list was last requested. The answer to that request may not contain them.
   */
  const since: Set<number> = new Set();
  let source: EventSource;
  let timer = 0;
  let closed = false;

  function connect() {
    source = new EventSource(`${BASE}/${path}/stream`);
    source.addEventListener('entry', ({ data }) => {
      const entry = JSON.parse(data);
      since.add(entry.id);
      listeners.onEntry(entry);
    });
    // Requested once the stream is open, so that no entry is missed; duplicates are recognised by id.
    source.addEventListener('open', () => {
      listeners.onBroken(false);
      reload();
    });
    source.addEventListener('error', () => {
      listeners.onBroken(true);
      if (source.readyState === EventSource.CLOSED && !closed) timer = setTimeout(connect, RETRY_DELAY);
    });
  }

  async function reload() {
    since.clear();
    const asked = query.peek();
    const found = await pageOf<Entry>(`${path}?limit=${PAGE_SIZE}&${asked}`).catch((error) => {
      if (!closed) listeners.onRefused(error);
      return null;
    });
    if (!closed && found !== null && asked === query.peek()) listeners.onList(found.items, since, found.total);
  }

  connect();
  return {
    /** Requests the list again, and calls `onList` with it. Does not reject when that fails. */
    reload,
    close() {
      closed = true;
      clearTimeout(timer);
      source.close();
    },
  };
}

/** The functions that `watch` calls while a page follows the journal. */
interface JournalListeners {
  /**
   * called each time that the stream opens, with the page of entries that the address names, oldest first, the ids of
   * entries that arrived after the request for this list, and the number of entries that fit the filters
   */
  onList: (entries: Entry[], since: ReadonlySet<number>, total: number) => void;
  /** called with the error when the list cannot be loaded */
  onRefused: (error: unknown) => void;
  /** called with each new entry */
  onEntry: (entry: Entry) => void;
  /** called with true when the stream breaks, and false when it is open */
  onBroken: (isBroken: boolean) => void;
}
