import type { UpstreamName } from '../wire/values.ts';
import type { CallRecord } from './call.ts';

/**
 * The data of one finished request for the metrics. It contains no person, path or id, because each would be a new
 * series.
 */
export interface RequestRecord {
  /** Operation id; null when the path or method matches no operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly upstream: readonly CallRecord[];
  /** Code of the problem that was answered; undefined when there was none. */
  readonly problem?: string | undefined;
  /** Why a token was refused: a fixed word. Undefined for every other answer. */
  readonly refusal?: string | undefined;
}

/** One finished round of the background job that deletes orphans. */
export interface SweepRecord {
  /** Number of documents that it deleted. */
  readonly removed: number;
  /** Why the round ended early; undefined when it did not. */
  readonly error?: unknown;
}

/** The recorder of metrics. Its methods never throw and never wait. */
export interface Meters {
  /** Records one finished request. */
  request(entry: RequestRecord): void;
  /** Records one finished round of the sweeper. */
  sweep(entry: SweepRecord): void;
}

/** The lines of the processing log that are not written yet. */
export interface ProcessingLogStats {
  readonly waiting: number;
  /** Milliseconds for which the oldest of them has been waiting; 0 when there is none. */
  readonly oldest: number;
  readonly isFailing: boolean;
}

/** The connections of the pool of the database. */
export interface PoolStats {
  readonly idle: number;
  readonly busy: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
}

/**
 * The state of a circuit breaker: `closed` permits calls, `open` refuses them, `half-open` permits one trial call.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** The current state of one upstream's HTTP client. */
export interface UpstreamStats {
  readonly upstream: UpstreamName;
  readonly breaker: BreakerState;
  /** Number of calls in progress, including calls that wait for a connection. */
  readonly underway: number;
  /** Number of open connections. */
  readonly connected: number;
  /** Number of open connections with a call in progress. */
  readonly running: number;
}
