import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Call, UpstreamError, type UpstreamFault } from '../../src/ports/call.ts';
import { pauseSince, realTime } from '../../src/ports/deadline.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import type { NotUnderstood } from '../../src/wire/json.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { type BreakerOptions, createUpstreamBreaker } from './breaker.ts';
import { isBrokenOff, UpstreamFailure, unsentFailure } from './upstream-failure.ts';

/**
 * Limits the calls to one upstream in progress, applies its circuit breaker, allows a retry of a call, and records it.
 */
export interface Bulkhead {
  /**
   * Runs `once` and returns its answer; once more after a failure that permits it, if `options.retry` is true. Throws
   * at once when the call was aborted before it began, and `UpstreamError` when the limit of `options.kind` is reached
   * or the circuit breaker is open.
   */
  run<Answer>(once: () => Promise<Answer>, options: RunOptions<Answer>): Promise<Answer>;
  stats(): Pick<UpstreamStats, 'breaker' | 'underway'>;
}

export interface RunOptions<Answer> {
  /** True when the request may be sent again after a failure. */
  readonly retry: boolean;
  readonly call: Call;
  /** Name of the operation, for the circuit breaker of that operation; default one for the whole upstream. */
  readonly operation?: string;
  /** The limit that counts this call; default `calls`. */
  readonly kind?: keyof BulkheadLimits;
  /**
   * Returns the body that is still being read after `run` has resolved; null for none. The call is in progress until
   * that body closes. When the upstream breaks it off, the call gets a second record and counts as failed.
   */
  readonly bodyOf?: (answer: Answer) => Body | null;
  /** W3C span id of the call, for its record; absent for a call without HTTP. */
  readonly spanId?: string;
  /** The status of an answer other than 200, 201 and 202 that was a result, for the record. `once` sets it. */
  readonly expectedStatus?: number | undefined;
  /** What was not understood in the answer, for the record. `once` sets it. */
  readonly notUnderstood?: readonly NotUnderstood[] | undefined;
}

type Body = Pick<Readable, 'closed' | 'once'>;

/** Maximum numbers in progress. A call above its maximum is refused at once. */
export interface BulkheadLimits {
  /** Including calls that wait for a connection. */
  readonly calls: number;
  readonly downloads: number;
}

/** Limits for an upstream that answers in JSON and has no downloads. */
export const BULKHEAD_LIMITS: BulkheadLimits = { calls: 128, downloads: 0 };

// Milliseconds: `min` plus a random part of `jitter`, plus the `Retry-After` of the failure.
const RETRY_WAIT = { min: 50, jitter: 100 };
// Each call adds `perCall` tokens, up to `max`, and each retry takes one (reliability.md, "Deadlines").
const RETRY_BUDGET = { perCall: 0.1, max: 5 };
// Seconds in `Retry-After` above which a call is not retried.
const MAX_RETRY_AFTER = 1;

/** @param breakerOptions - changes to the defaults of its circuit breaker */
export function createBulkhead(
  upstream: UpstreamName,
  limits: BulkheadLimits,
  breakerOptions?: Partial<BreakerOptions>,
): Bulkhead {
  const breaker = createUpstreamBreaker(upstream, breakerOptions);
  const underway = { calls: 0, downloads: 0 };
  let retryTokens = 1;

  async function waitForRetry(
    error: unknown,
    begun: number,
    { retry, call }: Pick<RunOptions<never>, 'retry' | 'call'>,
  ) {
    if (!retry || !(error instanceof UpstreamFailure) || (error.retryAfter ?? 0) > MAX_RETRY_AFTER) throw error;
    if (pauseSince(begun) !== null) {
      // Timeouts of undici count a pause. The retry costs no token, because the upstream may not have failed.
      if (error.status !== undefined && !error.retryable) throw error;
    } else if (error.retryable && retryTokens >= 1) retryTokens -= 1;
    else throw error;
    const wait = (error.retryAfter ?? 0) * 1_000 + RETRY_WAIT.min + Math.random() * RETRY_WAIT.jitter;
    await setTimeout(wait, undefined, { signal: call.signal }).catch(() => {
      throw error;
    });
  }

  function enter(kind: keyof BulkheadLimits, operation: string): (error?: unknown) => void {
    if (underway[kind] >= limits[kind])
      throw new UpstreamFailure(upstream, 'unavailable', `too many ${kind} under way`, { retryAfter: 1, undone: true });
    const end = breaker.enter(operation);
    underway[kind] += 1;
    return end;
  }

  return {
    async run<Answer>(once: () => Promise<Answer>, options: RunOptions<Answer>): Promise<Answer> {
      const { call, kind = 'calls', bodyOf, spanId, operation = '' } = options;
      const start = performance.now();
      const begun = realTime();
      let attempts = 0;
      const record = (outcome: number | UpstreamFault | 'aborted', why?: string) => {
        const ms = performance.now() - start;
        call.record({
          upstream,
          outcome,
          start,
          ms,
          attempts,
          ...(spanId !== undefined && { spanId }),
          ...(outcome === options.expectedStatus && { isExpected: true }),
          ...(options.notUnderstood !== undefined && { notUnderstood: options.notUnderstood }),
          ...(why !== undefined && { why }),
        });
      };
      let end: ((error?: unknown) => void) | undefined;
      let body: Body | null = null;
      try {
        // The call was not sent. This says nothing about the upstream, so the circuit breaker does not count it.
        if (call.stop.aborted) throw unsentFailure(upstream, call.stop.reason);
        end = enter(kind, operation);
        retryTokens = Math.min(RETRY_BUDGET.max, retryTokens + RETRY_BUDGET.perCall);
        let answer: Answer;
        try {
          attempts = 1;
          answer = await once();
        } catch (error) {
          await waitForRetry(error, begun, options);
          attempts = 2;
          answer = await once().catch((second) => {
            throw failureOfBoth(error, second);
          });
        }
        end();
        body = bodyOf?.(answer) ?? null;
        record(options.expectedStatus ?? 200);
        body?.once('error', (error) => {
          if (!isBrokenOff(error)) return;
          breaker.brokenOff();
          attempts = 0;
          record('unreadable');
        });
        return answer;
      } catch (error) {
        end?.(error);
        if (error instanceof UpstreamError)
          record(error instanceof UpstreamFailure && error.status ? error.status : error.fault, error.why);
        else record('aborted');
        throw error;
      } finally {
        if (end !== undefined) {
          if (body === null || body.closed) underway[kind] -= 1;
          else
            body.once('close', () => {
              underway[kind] -= 1;
            });
        }
      }
    },
    stats: () => ({ breaker: breaker.state, underway: underway.calls + underway.downloads }),
  };
}

// The first attempt may have arrived: then the second is not `undone` either.
function failureOfBoth(first: unknown, second: unknown): unknown {
  const isUndone = first instanceof UpstreamError && first.undone;
  return isUndone || !(second instanceof UpstreamError) ? second : Object.assign(second, { undone: false });
}
