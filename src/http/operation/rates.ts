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
}

const MINUTE = 60_000;

/** Counts in the memory of this process: other instances count for themselves. */
export function createRates({ all, submits }: RateLimits): Rates {
  let minute = 0;
  let counts = new Map<string, number>();

  return {
    take(subject, { creates }) {
      if (all === 0 && submits === 0) return;
      const now = Math.floor(Date.now() / MINUTE);
      // A new minute begins, but not for the minute before: a clock that is set back a little would let each person
      // begin again.
      if (now !== minute && now !== minute - 1) {
        minute = now;
        counts = new Map();
      }
      const [general, special] = [`alles|${subject}`, `indienen|${subject}`];
      const [mine, mySubmits] = [counts.get(general) ?? 0, counts.get(special) ?? 0];
      if ((all > 0 && mine >= all) || (creates && submits > 0 && mySubmits >= submits)) {
        const seconds = Math.ceil(((minute + 1) * MINUTE - Date.now()) / 1_000);
        throw tooManyRequests(Math.max(1, seconds));
      }
      counts.set(general, mine + 1);
      if (creates) counts.set(special, mySubmits + 1);
    },
  };
}

/**
 * A person has a sixteenth of `atOnce` in progress, and at least four, as the tabs of one browser may need. More wait,
 * so that one person cannot use up the upstream calls and the places of others while an upstream is slow.
 */
export const createRequestsPerPerson = (atOnce: number): Capacity =>
  createCapacity({
    total: Number.POSITIVE_INFINITY,
    perOwner: Math.max(4, Math.ceil(atOnce / 16)),
    // A request that waits has its body in memory and no slot.
    waiting: { total: atOnce, perOwner: Math.ceil(atOnce / 2) },
    tooMany: tooManyAtOnce,
    full: () => TOO_BUSY,
  });
