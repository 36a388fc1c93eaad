import { UpstreamError } from '../../src/ports/call.ts';
import { hasJustPaused, pauseSince, realTime } from '../../src/ports/deadline.ts';
import type { BreakerState } from '../../src/ports/meters.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { meaningOf } from './refusal.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/**
 * A circuit breaker for one upstream. While it is open it refuses calls. After `openMs` milliseconds it lets one trial
 * call through, whose result decides whether it closes (decisions/0010-failures-of-upstreams.md says why no
 * library is used).
 */
export interface Breaker {
  readonly state: BreakerState;
  /**
   * Starts a call. Returns a function that must be called once at the end of the call, with the error when the call
   * failed. Throws `UpstreamFailure` while the circuit breaker is open.
   */
  enter(): (error?: unknown) => void;
  /** Counts a call that ended with an answer as failed after all, because the body of that answer broke off. */
  brokenOff(): void;
}

/** The conditions under which a circuit breaker opens, and for how long. */
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

/** Default options (reliability.md, "Timeouts and limits"). */
const DEFAULTS: BreakerOptions = { minCalls: 20, failureRatio: 0.5, windowMs: 10_000, openMs: 5_000 };

/** Number of buckets in which the calls of the sliding window are counted. */
const BUCKETS = 10;

/**
 * What the result of a call says about its upstream: it failed, it answered, or nothing (the caller cancelled the
 * call, or this process paused during the call).
 */
type BreakerVerdict = 'failure' | 'answer' | 'nothing';

/**
 * Returns what an error of a call shows about the upstream. The refusal of one request, such as a 404, is an `answer`: a
 * caller who repeats a bad request must not open the circuit breaker for all callers.
 */
function classifyError(error: unknown): BreakerVerdict {
  if (!(error instanceof UpstreamError)) return 'nothing';
  if (!(error instanceof UpstreamFailure)) return error.undone ? 'answer' : 'failure';
  const { status, requestOnly } = error;
  if (requestOnly) return 'answer';
  return status === undefined || meaningOf(status).counts === 'upstream' ? 'failure' : 'answer';
}

/** Returns what an error of a call shows about one operation, to the circuit breaker of that operation. */
function classifyForOperation(error: unknown): BreakerVerdict {
  if (!(error instanceof UpstreamFailure)) return 'nothing';
  if (error.requestOnly) return 'answer';
  if (error.status === undefined) return 'nothing';
  const { counts } = meaningOf(error.status);
  return counts === 'operation' ? 'failure' : counts === 'nothing' ? 'answer' : 'nothing';
}

/**
 * Creates a circuit breaker, which starts closed. Options that are left out have the default values.
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
  /** True while the trial call is in progress. */
  let hasTrial = false;
  /**
   * A number that increases each time the circuit breaker opens. A call that started under a lower number is not
   * counted.
   */
  let generation = 0;

  /** The end of the pause after which failures were not counted; null when the upstream has answered since. */
  let pausedUntil: number | null = null;

  /**
   * Returns what the result of a call that began at `begun` says about the upstream. A failure says nothing when this
   * process paused during the call or just before it; but failures after several pauses without an answer do count.
   */
  function judge(error: unknown, begun: number): BreakerVerdict {
    const verdict = error === undefined ? 'answer' : classify(error);
    if (verdict === 'answer') pausedUntil = null;
    if (verdict !== 'failure') return verdict;
    const pause = pauseSince(begun);
    if (pause === null || (pausedUntil !== null && pausedUntil !== pause)) return 'failure';
    pausedUntil = pause;
    return 'nothing';
  }

  /** Adds a number of calls that have ended now, and whether the last of them failed. */
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

  /**
   * Ends the trial call of the circuit breaker: an answer closes the breaker, a failure opens it again. When the call
   * says nothing, the next call becomes the trial call.
   */
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

/** The circuit breakers of one upstream: its own, and one for each operation of which calls were refused. */
export interface UpstreamBreaker extends Omit<Breaker, 'enter'> {
  /** Starts a call of an operation. Otherwise the same as `enter` of a `Breaker`. */
  enter(operation: string): (error?: unknown) => void;
}

/** Maximum number of operations with a circuit breaker of their own. An upstream has about ten operations. */
const MAX_OPERATIONS = 100;

/**
 * Creates the circuit breakers of an upstream. A refusal of our credential or of our number of calls (`meaningOf`) opens
 * only the breaker of its operation: it must not keep other operations from an upstream that works, and an upstream that
 * refuses every call of an operation must not get all of them.
 */
export function createUpstreamBreaker(upstream: UpstreamName, options?: Partial<BreakerOptions>): UpstreamBreaker {
  const breaker = createBreaker(upstream, options);
  const refused = new Map<string, Breaker>();

  /** Begins to count the calls of an operation when the first of them is refused. */
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
