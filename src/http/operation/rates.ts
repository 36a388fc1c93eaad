import type { RateStore } from '../../ports/store/rates.ts';
import { type Capacity, createCapacity } from '../capacity.ts';
import { TOO_BUSY, tooManyAtOnce, tooManyRequests } from '../refusals.ts';
import type { Operation } from './operation.ts';

/** Limits on the number of requests of one person per minute; 0 means no limit. */
export interface RateLimits {
  /** Limit for all requests. */
  readonly all: number;
  /** Limit for POSTs that create something. These requests count in `all` too. */
  readonly submits: number;
}

/** A rate limiter that counts requests per person and minute. */
export interface Rates {
  /**
   * Counts one request of the person with this subject. Throws 429 `te-veel-verzoeken` with `Retry-After` when a limit
   * is reached; the refused request is not counted.
   */
  take(subject: string, operation: Operation): void;
  close(): void;
}

const MINUTE = 60_000;
/** Milliseconds between two synchronisations with the shared store. */
const SYNC_INTERVAL = 1_000;
/** Maximum number of counts that one call to the shared store sends. */
const MAX_TALLIES = 1_000;

interface Count {
  /** Requests that this process admitted in the current minute. */
  mine: number;
  /** Number of requests of `mine` that have been added to the shared store. */
  synced: number;
  /** Requests that other processes had admitted in the current minute when this count was last synchronised. */
  others: number;
}

/**
 * Returns a rate limiter that counts in memory, so that requests do not wait for the store. Once a second it adds its
 * counts to the shared store and gets those of the other processes, so together they can briefly exceed a limit.
 *
 * @param shared - store with the counts of all processes; null for a single process
 */
export function createRates({ all, submits }: RateLimits, shared: RateStore | null): Rates {
  /** Milliseconds to add to this process's clock to get the store's clock. */
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  let minute = 0;
  let counts = new Map<string, Count>();

  function countOf(key: string): Count {
    const now = Math.floor(clock() / MINUTE);
    if (now !== minute) {
      minute = now;
      counts = new Map();
    }
    const known = counts.get(key) ?? { mine: 0, synced: 0, others: 0 };
    counts.set(key, known);
    return known;
  }

  async function synchronise(store: RateStore): Promise<void> {
    const [about, entries] = [minute, [...counts]];
    const unsynced = entries.filter(([, { mine, synced }]) => mine > synced);
    for (let from = 0; from < unsynced.length; from += MAX_TALLIES)
      await exchange(store, about, unsynced.slice(from, from + MAX_TALLIES));
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

  const timer = shared && repeat(() => synchronise(shared), SYNC_INTERVAL);

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
 * Returns the shares of all persons in the requests that this process handles at the same time. A person has a
 * sixteenth of `atOnce` in progress, and at least four, as the tabs of one browser may need. More wait, so that one
 * person cannot use up the upstream calls and the places of others while an upstream is slow.
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

/**
 * Calls `work` every `ms` milliseconds, but not while its previous call is in progress, and ignores its errors. Returns
 * the timer, which does not keep the process running.
 */
function repeat(work: () => Promise<void>, ms: number): NodeJS.Timeout {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    work()
      .catch(() => undefined)
      .finally(() => {
        isBusy = false;
      });
  }, ms);
  timer.unref();
  return timer;
}
