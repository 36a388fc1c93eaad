import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Call, UpstreamError, type UpstreamFault } from '../../src/ports/call.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import type { Bron } from '../../src/wire/values.ts';
import { type BreakerOptions, createBreaker } from './breaker.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** What every call to one upstream passes: a bulkhead, a circuit breaker, one retry within a budget, and a record of the call. */
export interface Bulkhead {
  /** Runs `once`, and once more when `retry` allows it. Throws `UpstreamError` at once when the bulkhead of `kind` is full. */
  run<Answer>(once: () => Promise<Answer>, options: RunOptions<Answer>): Promise<Answer>;
  /** True when the next call may have to wait for a connection. */
  mayQueue(): boolean;
  stats(): Pick<UpstreamStats, 'breaker' | 'underway'>;
}

export interface RunOptions<Answer> {
  readonly retry: boolean;
  readonly call: Call;
  /** Which bulkhead counts this call; `calls` unless told. */
  readonly kind?: keyof BulkheadLimits;
  /** The body that somebody goes on reading when the answer is there: the call counts, once, until it closes. Null: there is none. */
  readonly bodyOf?: (answer: Answer) => Body | null;
}

type Body = Pick<Readable, 'closed' | 'once'>;

/** How many may be under way at the same time; one more is refused at once. Neither kind can take the places of the other. */
export interface BulkheadLimits {
  /** Calls, those that wait for a connection included. */
  readonly calls: number;
  /** Documents that are being read. */
  readonly downloads: number;
}

/** What an upstream has that answers in JSON. */
export const BULKHEAD_LIMITS = { connections: 64, calls: 128, downloads: 0 };

/** Milliseconds before the second try, spread so that many callers do not return at once. */
const RETRY_WAIT = { min: 50, jitter: 100 };
/** Retries stay under a tenth of all calls, so that a source in trouble is not pushed further (reliability.md, "Deadlines"). */
const RETRY_BUDGET = { perCall: 0.1, max: 5 };
/** A source that asks for more seconds than this gets no second try from us. */
const MAX_RETRY_AFTER = 1;

export function createBulkhead(
  bron: Bron,
  { connections, ...limits }: BulkheadLimits & { readonly connections: number },
  options?: Partial<BreakerOptions>,
): Bulkhead {
  const breaker = createBreaker(bron, options);
  const underway = { calls: 0, downloads: 0 };
  const total = () => underway.calls + underway.downloads;
  let retryTokens = 1;

  async function withRetry<Answer>(retry: boolean, call: Call, once: () => Promise<Answer>): Promise<Answer> {
    retryTokens = Math.min(RETRY_BUDGET.max, retryTokens + RETRY_BUDGET.perCall);
    try {
      return await once();
    } catch (error) {
      if (!retry || !(error instanceof UpstreamFailure) || !error.retryable || retryTokens < 1) throw error;
      if ((error.retryAfter ?? 0) > MAX_RETRY_AFTER) throw error;
      retryTokens -= 1;
      const wait = (error.retryAfter ?? 0) * 1_000 + RETRY_WAIT.min + Math.random() * RETRY_WAIT.jitter;
      await setTimeout(wait, undefined, { signal: call.signal }).catch(() => {
        throw error;
      });
      return await once();
    }
  }

  return {
    async run<Answer>(once: () => Promise<Answer>, options: RunOptions<Answer>): Promise<Answer> {
      const { retry, call, kind = 'calls', bodyOf = () => null } = options;
      const start = performance.now();
      let attempts = 0;
      const record = (outcome: number | UpstreamFault | 'aborted') =>
        call.record({ bron, outcome, ms: performance.now() - start, attempts });
      const counted = () => {
        attempts += 1;
        return once();
      };
      const release = () => {
        underway[kind] -= 1;
      };
      let body: Body | null = null;
      try {
        if (underway[kind] >= limits[kind]) {
          throw new UpstreamFailure(bron, 'unavailable', `too many ${kind} under way`, { retryAfter: 1, undone: true });
        }
        underway[kind] += 1;
        try {
          const answer = await breaker.run(() => withRetry(retry, call, counted));
          body = bodyOf(answer);
          record(200);
          return answer;
        } finally {
          if (body === null || body.closed) release();
          else body.once('close', release);
        }
      } catch (error) {
        if (error instanceof UpstreamError)
          record(error instanceof UpstreamFailure && error.status ? error.status : error.fault);
        else record('aborted');
        throw error;
      }
    },
    mayQueue: () => total() > connections,
    stats: () => ({ breaker: breaker.state, underway: total() }),
  };
}
