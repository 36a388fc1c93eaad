import { UpstreamError } from '../../src/ports/call.ts';
import type { BreakerState } from '../../src/ports/meters.ts';
import type { Bron } from '../../src/wire/values.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/**
 * Stops asking a source that fails: calls are refused at once while it is open, then one call tries whether all is well.
 * Ours, because of the kept libraries cockatiel lets callers wait for that one call and opossum counts what is under way or
 * refused as a success (decisions/0032-circuit-breaker-of-our-own.md).
 */
export interface Breaker {
  readonly state: BreakerState;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface BreakerOptions {
  /** Calls in the windowMs before it may open. */
  readonly minCalls: number;
  /** The bucket of them that failed. */
  readonly failureRatio: number;
  /** Milliseconds that are looked back. */
  readonly windowMs: number;
  /** Milliseconds for which it stays open. */
  readonly openMs: number;
}

/** reliability.md, "Timeouts and limits". */
const DEFAULTS: BreakerOptions = { minCalls: 20, failureRatio: 0.5, windowMs: 10_000, openMs: 5_000 };

/** Parts of the window; what is older than all of them no longer counts. */
const BUCKETS = 10;

/** What a call says about its source: that it fails, that it answers, or nothing. */
export type BreakerVerdict = 'failure' | 'answer' | 'nothing';

/**
 * What could not be had is a failure, and so is a refusal of us altogether (401, 403, 429). Another refusal, or an answer of the
 * wrong shape, is about one question: nobody may close a source to all by asking the same thing twenty times.
 */
function classifyError(error: unknown): BreakerVerdict {
  if (!(error instanceof UpstreamError)) return 'nothing';
  if (!(error instanceof UpstreamFailure)) return error.undone ? 'answer' : 'failure';
  const { status, requestOnly } = error;
  if (requestOnly) return 'answer';
  if (status === undefined || status < 400 || status >= 500) return 'failure';
  return status === 401 || status === 403 || status === 429 ? 'failure' : 'answer';
}

export function createBreaker(bron: Bron, options: Partial<BreakerOptions> = {}, classify = classifyError): Breaker {
  const { minCalls, failureRatio, windowMs, openMs } = { ...DEFAULTS, ...options };
  const length = windowMs / BUCKETS;
  let buckets: { readonly since: number; calls: number; failures: number }[] = [];
  let openUntil: number | null = null;
  let probing = false;
  /** Goes up whenever it opens or closes: a call that began before says nothing about now. */
  let generation = 0;

  function count(failed: boolean): void {
    const now = performance.now();
    buckets = buckets.filter(({ since }) => since > now - windowMs);
    let last = buckets.at(-1);
    if (last === undefined || last.since <= now - length) {
      last = { since: now, calls: 0, failures: 0 };
      buckets.push(last);
    }
    last.calls += 1;
    if (!failed) return;
    last.failures += 1;
    const calls = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
    const failures = buckets.reduce((sum, bucket) => sum + bucket.failures, 0);
    if (calls >= minCalls && failures >= failureRatio * calls) open();
  }

  function open(): void {
    openUntil = performance.now() + openMs;
    generation += 1;
  }

  function close(): void {
    openUntil = null;
    buckets = [];
    generation += 1;
  }

  async function probe<Result>(work: () => Promise<Result>): Promise<Result> {
    probing = true;
    let verdict: BreakerVerdict = 'answer';
    try {
      return await work();
    } catch (error) {
      verdict = classify(error);
      throw error;
    } finally {
      probing = false;
      if (verdict === 'answer') close();
      // Who left before the answer has told nothing; the next call tries.
      if (verdict === 'failure') open();
    }
  }

  return {
    get state() {
      if (openUntil === null) return 'closed';
      return probing || performance.now() >= openUntil ? 'half-open' : 'open';
    },
    async run(work) {
      if (openUntil !== null) {
        const left = openUntil - performance.now();
        if (left <= 0 && !probing) return probe(work);
        const retryAfter = Math.max(1, Math.ceil(left / 1_000));
        throw new UpstreamFailure(bron, 'unavailable', 'breaker open', { retryAfter, undone: true });
      }
      const started = generation;
      try {
        const result = await work();
        if (started === generation) count(false);
        return result;
      } catch (error) {
        const verdict = classify(error);
        if (started === generation && verdict !== 'nothing') count(verdict === 'failure');
        throw error;
      }
    },
  };
}
