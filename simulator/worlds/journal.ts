import type { CallRecord } from '../../src/ports/call.ts';

/** One call of a frontend, with what it caused and why it was answered so. Nothing in it is secret: it was masked when it was made. */
export interface Entry {
  /** Rises by one for every call in any world. */
  readonly id: number;
  /** When it came in, by the real clock. */
  readonly at: string;
  readonly world: string;
  readonly caller: { readonly kind: string; readonly subject: string } | null;
  readonly request: Message & { readonly method: string; readonly path: string };
  readonly response: Message & { readonly status: number };
  readonly ms: number;
  readonly operation: string | null;
  readonly problem: string | null;
  /** How the answer is not as the document says: there only when something here is broken. */
  readonly breach?: readonly string[] | undefined;
  readonly upstream: readonly UpstreamCall[];
  readonly why: readonly Reason[];
  readonly traceId: string;
  /** A line to paste in a shell. */
  readonly curl: string;
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  /** Null: there was none, it is no text, or it holds what is of no simulator. */
  readonly body: string | null;
  readonly truncated: boolean;
}

export interface UpstreamCall extends CallRecord {
  readonly operation?: string;
  readonly fault?: string;
}

export interface Reason {
  readonly rule: string;
  readonly source?: string;
  readonly outcome: unknown;
  readonly facts: unknown;
}

export interface JournalLimits {
  /** Entries of one world; the oldest makes room. */
  readonly entries: number;
  /** Characters of one body, and of the facts of one reason. */
  readonly body: number;
  /** Bytes of everything in one world; the oldest makes room. */
  readonly world: number;
  /** Bytes of everything in all worlds; the oldest of the world that has most makes room. */
  readonly total: number;
}

export interface Journal {
  add(entry: Omit<Entry, 'id'>): void;
  /** The newest last. `limit` counts from the newest, or from `after` where that is given. */
  list(world: string, after?: number, limit?: number): Entry[];
  /** The same as JSON texts, for whoever passes them on. */
  texts(world: string, after?: number, limit?: number): readonly Kept[];
  count(world: string): number;
  /** Hears every entry that is added, until it stops listening. */
  subscribe(world: string, listener: Listener): () => void;
  /** Of a world, or of all. */
  clear(world?: string): void;
}

/** An entry as JSON, and its id. */
export interface Kept {
  readonly id: number;
  readonly text: string;
}

export type Listener = (kept: Kept) => void;

/** Characters of a body that are kept. */
export const MOST_BODY = 16 * 1024;

const MB = 1024 * 1024;
const LIMITS: JournalLimits = { entries: 300, body: MOST_BODY, world: 4 * MB, total: 32 * MB };

interface Ring {
  readonly kept: { readonly id: number; readonly bytes: Buffer }[];
  /** Bytes of them all. */
  size: number;
}

const textOf = ({ id, bytes }: Ring['kept'][number]): Kept => ({ id, text: bytes.toString() });

/**
 * What happened in each world, in memory and bounded. Entries are kept as the bytes of their text: what they were made of may
 * change afterwards, most are never looked at, and a string with one letter beyond Latin takes twice as much.
 */
export function createJournal(given: Partial<JournalLimits> = {}): Journal {
  const limits = { ...LIMITS, ...given };
  const rings = new Map<string, Ring>();
  const listeners = new Map<string, Set<Listener>>();
  let last = 0;
  let total = 0;

  function dropOldest(world: string, ring: Ring): void {
    const gone = ring.kept.shift();
    if (gone === undefined) return;
    ring.size -= gone.bytes.length;
    total -= gone.bytes.length;
    if (ring.kept.length === 0) rings.delete(world);
  }

  /** A world that is busy makes room by itself: whoever is quiet next to it keeps what they have. */
  function makeRoom(): void {
    while (total > limits.total && rings.size > 0) {
      const [world, ring] = [...rings].reduce((most, one) => (one[1].size > most[1].size ? one : most));
      dropOldest(world, ring);
    }
  }

  function texts(world: string, after?: number, limit = Number.POSITIVE_INFINITY): readonly Kept[] {
    const kept = rings.get(world)?.kept ?? [];
    const wanted =
      after === undefined
        ? kept.slice(Math.max(0, kept.length - limit))
        : kept.filter(({ id }) => id > after).slice(0, limit);
    return wanted.map(textOf);
  }

  return {
    add(entry) {
      last += 1;
      const text = JSON.stringify({ id: last, ...bounded(entry, limits) });
      const bytes = Buffer.from(text);
      const ring = rings.get(entry.world) ?? { kept: [], size: 0 };
      rings.set(entry.world, ring);
      ring.kept.push({ id: last, bytes });
      ring.size += bytes.length;
      total += bytes.length;
      while (ring.kept.length > limits.entries || ring.size > limits.world) dropOldest(entry.world, ring);
      makeRoom();
      for (const listener of listeners.get(entry.world) ?? []) listener({ id: last, text });
    },
    texts,
    list: (world, after, limit) => texts(world, after, limit).map(({ text }) => JSON.parse(text) as Entry),
    count: (world) => rings.get(world)?.kept.length ?? 0,
    subscribe(world, listener) {
      const mine = listeners.get(world) ?? new Set();
      listeners.set(world, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(world) === mine) listeners.delete(world);
      };
    },
    clear(world) {
      for (const one of world === undefined ? [...rings.keys()] : [world]) {
        total -= rings.get(one)?.size ?? 0;
        rings.delete(one);
      }
    },
  };
}

function bounded(entry: Omit<Entry, 'id'>, { body }: JournalLimits): Omit<Entry, 'id'> {
  return {
    ...entry,
    request: cut(entry.request, body),
    response: cut(entry.response, body),
    why: entry.why.map((reason) => ({
      ...reason,
      facts: shortened(reason.facts, body),
      outcome: shortened(reason.outcome, body),
    })),
  };
}

const cut = <Part extends Message>(message: Part, most: number): Part =>
  message.body === null || message.body.length <= most
    ? message
    : { ...message, body: message.body.slice(0, most).toWellFormed(), truncated: true };

/** Facts are whole or they are not there: half of them would be other facts. */
function shortened(facts: unknown, most: number): unknown {
  const length = JSON.stringify(facts)?.length ?? 0;
  return length > most ? { truncated: length } : facts;
}
