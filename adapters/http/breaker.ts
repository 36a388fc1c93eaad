import { UpstreamError } from '../../src/ports/call.ts';
import { hasJustPaused, pauseSince, realTime } from '../../src/ports/deadline.ts';
import type { BreakerState } from '../../src/ports/meters.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { meaningOf, UpstreamFailure } from './upstream-failure.ts';

/**
 * A circuit breaker for one upstream. `openMs` milliseconds after it opened it lets one trial call through, whose
 * result decides whether it closes (decisions/0010-failures-of-upstreams.md says why no library is used).
 */
export interface Breaker {
  readonly state: BreakerState;
  /**
   * Starts a call. Call the returned function once at its end, with the error when it failed. Throws `UpstreamFailure`
   * while the breaker is open.
   */
  enter(): (error?: unknown) => void;
  /** Counts a call that ended with an answer as failed after all, because the body of that answer broke off. */
  brokenOff(): void;
}

export interface BreakerOptions {
  /** Minimum number of calls in the window; with fewer calls the breaker does not open. */
  readonly minCalls: number;
  /** Fraction of failed calls in the window, 0 to 1, from which the breaker opens. */
  readonly failureRatio: number;
  /** Length of the sliding window in milliseconds. */
  readonly windowMs: number;
  /** Milliseconds that the breaker stays open before it allows a trial call. */
  readonly openMs: number;
}

// reliability.md, "Timeouts and limits".
const DEFAULTS: BreakerOptions = { minCalls: 20, failureRatio: 0.5, windowMs: 10_000, openMs: 5_000 };

const BUCKETS = 10;

// `nothing`: the caller cancelled the call, or this process paused during the call.
type BreakerVerdict = 'failure' | 'answer' | 'nothing';

// A caller who repeats a bad request must not open the circuit breaker for all callers: a 404 is an `answer`.
function classifyError(error: unknown): BreakerVerdict {
  if (!(error instanceof UpstreamError)) return 'nothing';
  if (!(error instanceof UpstreamFailure)) return error.undone ? 'answer' : 'failure';
  const { status, requestOnly } = error;
  if (requestOnly) return 'answer';
  return status === undefined || meaningOf(status).counts === 'upstream' ? 'failure' : 'answer';
}

function classifyForOperation(error: unknown): BreakerVerdict {
  if (!(error instanceof UpstreamFailure)) return 'nothing';
  if (error.requestOnly) return 'answer';
  if (error.status === undefined) return 'nothing';
  const { counts } = meaningOf(error.status);
  return counts === 'operation' ? 'failure' : counts === 'nothing' ? 'answer' : 'nothing';
}

/**
 * Creates a closed circuit breaker.
 *
 * @param classify - says what an error shows; default what it shows about the whole upstream
 */
export function createBreaker(
  upstream: UpstreamName,
  options: Partial<BreakerOptions> = {},
  classify: (error: unknown) => BreakerVerdict = classifyError,
): Breaker {
  const { minCalls, failureRatio, windowMs, openMs } = { ...DEFAULTS, ...options };
  const length = windowMs / BUCKETS;
  let buckets: { readonly since: number; calls: number; failures: number }[] = [];
  let openUntil: number | null = null;
  let hasTrial = false;
  // A call that started under a lower number is not counted.
  let generation = 0;

  // The end of the pause after which failures were not counted; null when the upstream has answered since.
  let pausedUntil: number | null = null;

  // A failure says nothing when this process paused during the call or just before it; but failures after several
  // pauses without an answer do count.
  function judge(error: unknown, begun: number): BreakerVerdict {
    const verdict = error === undefined ? 'answer' : classify(error);
    if (verdict === 'answer') pausedUntil = null;
    if (verdict !== 'failure') return verdict;
    const pause = pauseSince(begun);
    if (pause === null || (pausedUntil !== null && pausedUntil !== pause)) return 'failure';
    pausedUntil = pause;
    return 'nothing';
  }

  function count(calls: 0 | 1, failed: boolean): void {
    const now = performance.now();
    while (buckets[0] !== undefined && buckets[0].since <= now - windowMs) buckets.shift();
    let last = buckets.at(-1);
    if (last === undefined || last.since <= now - length) {
      last = { since: now, calls: 0, failures: 0 };
      buckets.push(last);
    }
    last.calls += calls;
    if (!failed) return;
    last.failures += 1;
    const all = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
    const failures = buckets.reduce((sum, bucket) => sum + bucket.failures, 0);
    if (all >= minCalls && failures >= failureRatio * all) open();
  }

  function open(): void {
    openUntil = performance.now() + openMs;
    generation += 1;
  }

  function close(): void {
    openUntil = null;
    buckets = [];
  }

  // After a trial call that says nothing, the next call is the trial call.
  function endTrial(verdict: BreakerVerdict): void {
    hasTrial = false;
    if (verdict === 'answer') close();
    if (verdict === 'failure') open();
  }

  function enter(): (error?: unknown) => void {
    if (openUntil !== null) {
      const left = openUntil - performance.now();
      if (left > 0 || hasTrial) {
        const retryAfter = Math.max(1, Math.ceil(left / 1_000));
        throw new UpstreamFailure(upstream, 'unavailable', 'breaker open', { retryAfter, undone: true });
      }
      hasTrial = true;
      const begun = realTime();
      return (error) => endTrial(judge(error, begun));
    }
    const started = generation;
    const begun = realTime();
    return (error) => {
      if (started !== generation) return;
      const verdict = judge(error, begun);
      if (verdict !== 'nothing') count(1, verdict === 'failure');
    };
  }

  return {
    get state() {
      if (openUntil === null) return 'closed';
      return hasTrial || performance.now() >= openUntil ? 'half-open' : 'open';
    },
    enter,
    brokenOff() {
      if (openUntil === null && !hasJustPaused()) count(0, true);
    },
  };
}

export interface UpstreamBreaker extends Omit<Breaker, 'enter'> {
  enter(operation: string): (error?: unknown) => void;
}

// An upstream has about ten operations.
const MAX_OPERATIONS = 100;

/**
 * A refusal of our credential or of our number of calls (`meaningOf`) opens only the breaker of its operation: other
 * operations still work, and an upstream that refuses every call of an operation must not get all of them.
 */
export function createUpstreamBreaker(upstream: UpstreamName, options?: Partial<BreakerOptions>): UpstreamBreaker {
  const breaker = createBreaker(upstream, options);
  const refused = new Map<string, Breaker>();

  function count(operation: string, error: unknown): void {
    if (classifyForOperation(error) !== 'failure' || refused.has(operation)) return;
    if (refused.size >= MAX_OPERATIONS) refused.clear();
    const own = createBreaker(upstream, options, classifyForOperation);
    refused.set(operation, own);
    own.enter()(error);
  }

  return {
    get state() {
      return breaker.state;
    },
    enter(operation) {
      const own = refused.get(operation);
      const endOwn = own?.enter();
      let end: (error?: unknown) => void;
      try {
        end = breaker.enter();
      } catch (error) {
        endOwn?.(error);
        throw error;
      }
      return (error) => {
        end(error);
        if (endOwn === undefined) count(operation, error);
        else endOwn(error);
      };
    },
    brokenOff: () => breaker.brokenOff(),
  };
}
