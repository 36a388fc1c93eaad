import * as z from 'zod';

/** The limits of the journal. Above a limit for the number or the size of entries, the oldest entries are removed. */
export interface JournalLimits {
  readonly entries: number;
  /** Maximum length in characters of one body, of the input of one rule, and of the outcome of one rule. */
  readonly body: number;
  /** Maximum size of all entries of one world, in bytes. */
  readonly world: number;
  /** Of all worlds, in bytes. The oldest entry of the largest world is removed first. */
  readonly total: number;
}

/** A finished request of which the journal entry is only made when needed, because most entries are never read. */
export interface PendingEntry {
  readonly world: string;
  /** Upper bound of the memory that this entry uses, in bytes. */
  readonly size: number;
  /** Returns the journal entry, with secrets masked. Every call returns the same entry. */
  render(): Omit<RecordedRequest, 'id'>;
}

export interface Journal {
  /** Adds an entry with the next id, and passes it to the listeners of its world. */
  add(entry: PendingEntry): void;
  /** Oldest first. */
  list(world: string): RecordedRequest[];
  /**
   * As JSON text, oldest first: the last `limit` (all when absent), or with `after` the first ones with a higher id.
   * With `before`, only entries with a lower id count.
   */
  texts(world: string, after?: number, limit?: number, before?: number): readonly JournalText[];
  count(world: string): number;
  /** For every entry from now on. Returns a function that ends the subscription. */
  subscribe(world: string, listener: JournalListener): () => void;
  clear(world: string): void;
}

export interface JournalText {
  readonly id: number;
  readonly text: string;
}

export type JournalListener = (entry: JournalText) => void;

/** Maximum length of a body in the journal, in characters. A longer body is cut off. */
export const MAX_BODY_CHARACTERS = 16 * 1024;

const MB = 1024 * 1024;
const LIMITS: JournalLimits = { entries: 5_000, body: MAX_BODY_CHARACTERS, world: 32 * MB, total: 64 * MB };

/** A larger entry is converted at once, which shortens it. */
const MAX_PENDING = 64 * 1024;

/** An entry in memory: as it was added or, after it was first read, as the bytes of its JSON. */
interface Stored {
  readonly id: number;
  content: PendingEntry | Buffer;
}

/** Returns the number of bytes that an entry uses; an upper bound for an entry that is not yet converted to JSON. */
const sizeOf = ({ content }: Stored): number => (Buffer.isBuffer(content) ? content.length : content.size);

interface Ring {
  readonly entries: Stored[];
  size: number;
}

/** An entry becomes JSON when it is first read, or at once when it is large or its world is followed. */
export function createJournal(given: Partial<JournalLimits> = {}): Journal {
  const limits = { ...LIMITS, ...given };
  const rings = new Map<string, Ring>();
  const listeners = new Map<string, Set<JournalListener>>();
  let last = 0;
  let total = 0;

  function dropOldest(world: string, ring: Ring): void {
    const oldest = ring.entries.shift();
    if (oldest === undefined) return;
    ring.size -= sizeOf(oldest);
    total -= sizeOf(oldest);
    if (ring.entries.length === 0) rings.delete(world);
  }

  function makeRoom(): void {
    while (total > limits.total && rings.size > 0) {
      const [world, ring] = [...rings].reduce((most, one) => (one[1].size > most[1].size ? one : most));
      dropOldest(world, ring);
    }
  }

  function bound(world: string, ring: Ring): void {
    while (ring.entries.length > limits.entries || ring.size > limits.world) dropOldest(world, ring);
    makeRoom();
  }

  const rendered = (id: number, entry: PendingEntry): Buffer =>
    Buffer.from(JSON.stringify({ id, ...bounded(entry.render(), limits.body) }));

  function textOf(ring: Ring, stored: Stored): JournalText {
    const { id, content } = stored;
    if (Buffer.isBuffer(content)) return { id, text: content.toString() };
    const bytes = rendered(id, content);
    stored.content = bytes;
    ring.size += bytes.length - content.size;
    total += bytes.length - content.size;
    return { id, text: bytes.toString() };
  }

  function texts(
    world: string,
    after?: number,
    limit = Number.POSITIVE_INFINITY,
    before = Number.POSITIVE_INFINITY,
  ): readonly JournalText[] {
    const ring = rings.get(world);
    if (ring === undefined) return [];
    const entries = before === Number.POSITIVE_INFINITY ? ring.entries : ring.entries.filter(({ id }) => id < before);
    const selected =
      after === undefined
        ? entries.slice(Math.max(0, entries.length - limit))
        : entries.filter(({ id }) => id > after).slice(0, limit);
    const found = selected.map((stored) => textOf(ring, stored));
    bound(world, ring);
    return found;
  }

  return {
    add(entry) {
      last += 1;
      const { world, size } = entry;
      const ring = rings.get(world) ?? { entries: [], size: 0 };
      rings.set(world, ring);
      const following = listeners.get(world);
      const isRead = following !== undefined || size > MAX_PENDING;
      const stored: Stored = { id: last, content: isRead ? rendered(last, entry) : entry };
      ring.entries.push(stored);
      ring.size += sizeOf(stored);
      total += sizeOf(stored);
      for (const listener of following ?? []) listener(textOf(ring, stored));
      bound(world, ring);
    },
    texts,
    list: (world) => texts(world).map(({ text }) => JSON.parse(text) as RecordedRequest),
    count: (world) => rings.get(world)?.entries.length ?? 0,
    subscribe(world, listener) {
      const ofWorld = listeners.get(world) ?? new Set();
      listeners.set(world, ofWorld.add(listener));
      return () => {
        ofWorld.delete(listener);
        if (ofWorld.size === 0 && listeners.get(world) === ofWorld) listeners.delete(world);
      };
    },
    clear(world) {
      total -= rings.get(world)?.size ?? 0;
      rings.delete(world);
    },
  };
}

const message = {
  headers: z.record(z.string(), z.string()),
  /** Null when there is none or when it may not be shown. */
  body: z.string().nullable(),
  truncated: z.boolean(),
};

export const JournalEntry = z
  .strictObject({
    /** Counted over all worlds. */
    id: z.int(),
    at: z.iso.datetime().describe('Moment at which the request arrived, by the system clock.'),
    worldAt: z.iso.datetime().describe('Moment at which the answer was sent, by the clock of the world.'),
    world: z.string(),
    caller: z.strictObject({ kind: z.string(), subject: z.string() }).nullable(),
    request: z.strictObject({ method: z.string(), path: z.string(), ...message }),
    response: z.strictObject({ status: z.int(), ...message }),
    ms: z.number(),
    operation: z.string().nullable(),
    problem: z.string().nullable(),
    breach: z
      .array(z.string())
      .optional()
      .describe(
        'The differences between the response and what the OpenAPI document says about it; absent when there are none.',
      ),
    upstream: z.array(
      z.strictObject({
        bron: z.string(),
        /** Of the simulated upstream, like `fault`. */
        operation: z.string().optional(),
        outcome: z
          .union([z.int(), z.string()])
          .describe('HTTP status of the upstream, or `unavailable`, `late`, `unreadable` or `aborted`.'),
        start: z.number().describe('Milliseconds from the arrival of the request to the start of this call.'),
        ms: z.number(),
        attempts: z.int(),
        fault: z.string().optional(),
      }),
    ),
    why: z.array(
      z.strictObject({
        rule: z.string(),
        source: z.string().optional(),
        sentence: z
          .string()
          .nullable()
          .describe(
            'A Dutch sentence that explains the decision; null when the sentence could contain data of a real upstream.',
          ),
        basis: z.string().optional().describe('The Dutch name of the law or the agreement on which the rule rests.'),
        outcome: z.unknown(),
        facts: z.unknown(),
      }),
    ),
    traceId: z.string(),
    curl: z.string(),
  })
  .meta({
    id: 'JournalEntry',
    description:
      'An entry of the journal (list of recorded requests): one request, the upstream calls that it caused, and the decisions behind its response.',
  });

export type RecordedRequest = z.output<typeof JournalEntry>;

/** A decision of a rule, with the Dutch sentence that explains it. */
export type ExplainedReason = RecordedRequest['why'][number];
/** One decision of a rule: its outcome, its input, and where the rule is written. */
export type JournalReason = Omit<ExplainedReason, 'sentence' | 'basis'>;

function bounded(entry: Omit<RecordedRequest, 'id'>, maxLength: number): Omit<RecordedRequest, 'id'> {
  return {
    ...entry,
    request: cut(entry.request, maxLength),
    response: cut(entry.response, maxLength),
    why: entry.why.map((reason) => ({
      ...reason,
      facts: shortened(reason.facts, maxLength),
      outcome: shortened(reason.outcome, maxLength),
    })),
  };
}

const cut = <Part extends { readonly body: string | null }>(message: Part, maxLength: number): Part =>
  message.body === null || message.body.length <= maxLength
    ? message
    : { ...message, body: message.body.slice(0, maxLength).toWellFormed(), truncated: true };

/** A part of a fact could mislead, so only its length is kept. */
function shortened(facts: unknown, maxLength: number): unknown {
  const length = JSON.stringify(facts)?.length ?? 0;
  return length > maxLength ? { truncated: length } : facts;
}
