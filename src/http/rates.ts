import type { RateStore } from '../ports/rates.ts';
import { Problem } from '../problem.ts';
import type { Operation } from './operation.ts';

/** Requests in a minute of one person; 0 is no limit. */
export interface RateLimits {
  readonly all: number;
  /** Of POSTs that make something; they count among all as well. */
  readonly making: number;
}

export interface Rates {
  /** Counts one request of this person, or throws 429. */
  take(subject: string, operation: Operation): void;
  close(): void;
}

const MINUTE = 60_000;
/** Milliseconds between two exchanges with the other processes. */
const EVERY = 1_000;
/** Tallies in one exchange. */
const MOST = 1_000;

interface Count {
  /** Let through by this process. */
  mine: number;
  /** What of it the others have been told. */
  told: number;
  /** Let through by the others, as far as we have been told. */
  others: number;
}

/**
 * Counts in memory, so that a request pays nothing, and adds up with the other processes once a second, in one statement for
 * everybody. Together they can be a second's requests above the limit; when the store is away each keeps to it alone.
 */
export function createRates({ all, making }: RateLimits, shared: RateStore | null): Rates {
  /** Milliseconds that the store's clock is ahead of this process's: all processes must count in the same minutes. */
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
    const known = counts.get(key) ?? { mine: 0, told: 0, others: 0 };
    counts.set(key, known);
    return known;
  }

  const isFull = ({ mine, others }: Count, limit: number): boolean => limit > 0 && mine + others >= limit;

  async function exchange(store: RateStore): Promise<void> {
    const [about, entries] = [minute, [...counts]];
    const untold = entries.filter(([, { mine, told }]) => mine > told).slice(0, MOST);
    if (untold.length === 0) return;
    const tallies = untold.map(([key, { mine, told }]) => ({ key, minute: about, count: mine - told }));
    const { totals, now } = await store.add(tallies);
    ahead = now - Date.now();
    untold.forEach(([, count], index) => {
      count.told += tallies[index]?.count ?? 0;
      count.others = Math.max(0, (totals[index] ?? 0) - count.told);
    });
  }

  let busy = false;
  const timer =
    shared &&
    setInterval(() => {
      if (busy) return;
      busy = true;
      // What could not be told is told the next time.
      exchange(shared)
        .catch(() => undefined)
        .finally(() => {
          busy = false;
        });
    }, EVERY);
  timer?.unref();

  return {
    take(subject, { makes }) {
      if (all === 0 && making === 0) return;
      const general = countOf(`alles|${subject}`);
      const special = makes ? countOf(`indienen|${subject}`) : undefined;
      if (isFull(general, all) || (special && isFull(special, making))) {
        const seconds = Math.ceil(((minute + 1) * MINUTE - clock()) / 1_000);
        throw new Problem('te-veel-verzoeken', 'U doet te veel verzoeken. Wacht even en probeer het opnieuw.', {
          headers: { 'Retry-After': String(Math.max(1, seconds)) },
        });
      }
      general.mine += 1;
      if (special) special.mine += 1;
    },
    close() {
      if (timer) clearInterval(timer);
    },
  };
}
