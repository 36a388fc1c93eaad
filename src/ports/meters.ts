import type { UpstreamName } from '../wire/values.ts';
import type { CallRecord } from './call.ts';
import type { Expired } from './store/retention.ts';

/**
 * The data of one finished request for the metrics. They name no person, path or id, because each different value would
 * become a new time series.
 */
export interface RequestRecord {
  /** Operation id; null when the path or method matches no operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly upstream: readonly CallRecord[];
  /** Code of the problem in the answer; undefined when the answer is not a problem. */
  readonly problem?: string | undefined;
  /** The reason why a token was refused, from a fixed list of words. Undefined when no token was refused. */
  readonly refusal?: string | undefined;
}

/**
 * The result of one round of the sweeper: the background job that deletes documents to which no application refers
 * (orphans).
 */
export interface SweepRecord {
  /** Number of documents that the round deleted. */
  readonly removed: number;
  /**
   * The numbers of rows that the round deleted because their retention period had ended. Undefined when the round ended
   * before it deleted them.
   */
  readonly expired?: Expired;
  /** The error that ended the round early; undefined when the round was complete. */
  readonly error?: unknown;
}

/** The recorder of metrics. Its methods never throw, and return at once. */
export interface Meters {
  /** Records one finished request. */
  request(entry: RequestRecord): void;
  /** Records one finished round of the sweeper, the background job that deletes documents without an application. */
  sweep(entry: SweepRecord): void;
}

/** The state of the queue of lines that still have to be written to the processing log. */
export interface ProcessingLogStats {
  readonly waiting: number;
  /** Age in milliseconds of the oldest log line in the queue; 0 when the queue is empty. */
  readonly oldest: number;
  readonly isFailing: boolean;
}

/** Counts of the connections in the database's connection pool. */
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

/** The current state of the HTTP client of one upstream. */
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
