import type { RateStore } from '../../ports/store/store.ts';
import { type Capacity, createCapacity } from '../capacity.ts';
import { TOO_BUSY, tooManyAtOnce, tooManyRequests } from '../problems.ts';
import type { Operation } from './operation.ts';

/** Requests of one person per minute; 0 means no limit. */
export interface RateLimits {
  readonly all: number;
  /** POSTs that create something. They count in `all` too. */
  readonly submits: number;
}

export interface Rates {
  /**
   * Counts a request. Throws 429 `te-veel-verzoeken` with `Retry-After` when a limit is reached; it is then not
   * counted.
   */
  take(subject: string, operation: Operation): void;
  close(): void;
}

const MINUTE = 60_000;
// Milliseconds.
const SYNC_INTERVAL = 1_000;
// Maximum for one call to the shared store.
const MAX_TALLIES = 1_000;

interface Count {
  // Admitted by this process in the current minute.
  mine: number;
  // Number of `mine` that the shared store has.
  synced: number;
  // Admitted by other processes in the current minute, when this count was last synchronised.
  others: number;
}

/**
 * Counts in memory, so that requests do not wait for the store. Once a second it exchanges counts with the other
 * processes, so together they can briefly exceed a limit.
 *
 * @param shared - null for a single process
 */
export function createRates({ all, submits }: RateLimits, shared: RateStore | null): Rates {
  // Milliseconds from this process's clock to the store's.
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  let minute = 0;
  let counts = new Map<string, Count>();

  function countOf(key: string): Count {
    const now = Math.floor(clock() / MINUTE);
    // A new minute begins, but not for the minute before: a clock that is set back a little would let each person begin
    // again.
    if (now !== minute && now !== minute - 1) {
      minute = now;
      counts = new Map();
    }
    const known = counts.get(key) ?? { mine: 0, synced: 0, others: 0 };
    counts.set(key, known);
    return known;
  }

  let isSynchronising = false;
  async function synchronise(store: RateStore): Promise<void> {
    if (isSynchronising) return;
    isSynchronising = true;
    try {
      const [about, entries] = [minute, [...counts]];
      const unsynced = entries.filter(([, { mine, synced }]) => mine > synced);
      for (let from = 0; from < unsynced.length; from += MAX_TALLIES)
        await exchange(store, about, unsynced.slice(from, from + MAX_TALLIES));
    } finally {
      isSynchronising = false;
    }
  }

  async function exchange(store: RateStore, about: number, unsynced: readonly [string, Count][]): Promise<void> {
    const tallies = unsynced.map(([key, { mine, synced }]) => ({ key, minute: about, count: mine - synced }));
    const { totals, now } = await store.add(tallies);
    ahead = now - Date.now();
    unsynced.forEach(([, count], index) => {
      count.synced += tallies[index]?.count ?? 0;
      count.others = Math.max(0, (totals[index] ?? 0) - count.synced);
    });
  }

  // After an error the next round sends the same counts.
  const timer = shared && setInterval(() => synchronise(shared).catch(() => undefined), SYNC_INTERVAL).unref();

  return {
    take(subject, { creates }) {
      if (all === 0 && submits === 0) return;
      const general = countOf(`alles|${subject}`);
      const special = creates ? countOf(`indienen|${subject}`) : undefined;
      if (isFull(general, all) || (special && isFull(special, submits))) {
        const seconds = Math.ceil(((minute + 1) * MINUTE - clock()) / 1_000);
        throw tooManyRequests(Math.max(1, seconds));
      }
      general.mine += 1;
      if (special) special.mine += 1;
    },
    close() {
      if (timer) clearInterval(timer);
    },
  };
}

/**
 * A person has a sixteenth of `atOnce` in progress, and at least four, as the tabs of one browser may need. More wait,
 * so that one person cannot use up the upstream calls and the places of others while an upstream is slow.
 */
export const createRequestShares = (atOnce: number): Capacity =>
  createCapacity({
    total: Number.POSITIVE_INFINITY,
    perOwner: Math.max(4, Math.ceil(atOnce / 16)),
    // A request that waits has its body in memory and no slot.
    waiting: { total: atOnce, perOwner: Math.ceil(atOnce / 2) },
    tooMany: tooManyAtOnce,
    full: () => TOO_BUSY,
  });

const isFull = ({ mine, others }: Count, limit: number): boolean => limit > 0 && mine + others >= limit;
