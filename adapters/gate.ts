import { setTimeout } from 'node:timers/promises';
import { type Call, UpstreamError, type UpstreamFault } from '../src/ports/call.ts';
import type { UpstreamStats } from '../src/ports/meters.ts';
import type { Bron } from '../src/wire/values.ts';
import { type BreakerOptions, createBreaker } from './breaker.ts';
import { Failed } from './failed.ts';

/** What every call to one source passes: so many at once, a breaker, a second try within a budget, and a record of it. */
export interface Gate {
  /** Makes `once` happen, at most twice when `retry` says that it may. */
  pass<Answer>(retry: boolean, call: Call, once: () => Promise<Answer>): Promise<Answer>;
  /** Keeps the place of a call whose answer is still being read; the result gives it back. */
  hold(): () => void;
  /** Whether the next call may have to wait for a connection. */
  isCrowded(): boolean;
  stats(): Pick<UpstreamStats, 'breaker' | 'underway'>;
}

/** Connections, and calls that may wait for one; one more is refused at once. */
interface Room {
  readonly connections: number;
  readonly queue: number;
}

/** What a source has, unless its answers are read for long: then nobody may wait. */
export const ROOM: Room = { connections: 64, queue: 64 };

/** Milliseconds before the second try, spread so that many callers do not return at once. */
const RETRY_WAIT = { least: 50, spread: 100 };
/** Retries stay under a tenth of all calls, so that a source in trouble is not pushed further (reliability.md, "Deadlines"). */
const RETRY_BUDGET = { perCall: 0.1, most: 5 };
/** A source that asks for more seconds than this gets no second try from us. */
const RETRY_PATIENCE = 1;

export function createGate(bron: Bron, { connections, queue }: Room, options?: Partial<BreakerOptions>): Gate {
  const breaker = createBreaker(bron, options);
  let underway = 0;
  let retryTokens = 1;

  async function withRetry<Answer>(retry: boolean, call: Call, once: () => Promise<Answer>): Promise<Answer> {
    retryTokens = Math.min(RETRY_BUDGET.most, retryTokens + RETRY_BUDGET.perCall);
    try {
      return await once();
    } catch (error) {
      if (!retry || !(error instanceof Failed) || !error.again || retryTokens < 1) throw error;
      if ((error.retryAfter ?? 0) > RETRY_PATIENCE) throw error;
      retryTokens -= 1;
      const wait = (error.retryAfter ?? 0) * 1_000 + RETRY_WAIT.least + Math.random() * RETRY_WAIT.spread;
      await setTimeout(wait, undefined, { signal: call.signal }).catch(() => {
        throw error;
      });
      return await once();
    }
  }

  return {
    async pass(retry, call, once) {
      const start = performance.now();
      let attempts = 0;
      const record = (outcome: number | UpstreamFault | 'aborted') =>
        call.record({ bron, outcome, ms: performance.now() - start, attempts });
      const counted = () => {
        attempts += 1;
        return once();
      };
      try {
        if (underway >= connections + queue) {
          throw new Failed(bron, 'unavailable', 'too many calls under way', { retryAfter: 1, undone: true });
        }
        underway += 1;
        try {
          const answer = await breaker.run(() => withRetry(retry, call, counted));
          record(200);
          return answer;
        } finally {
          underway -= 1;
        }
      } catch (error) {
        if (error instanceof UpstreamError)
          record(error instanceof Failed && error.status ? error.status : error.fault);
        else record('aborted');
        throw error;
      }
    },
    hold() {
      underway += 1;
      return () => {
        underway -= 1;
      };
    },
    isCrowded: () => underway > connections,
    stats: () => ({ breaker: breaker.state, underway }),
  };
}
