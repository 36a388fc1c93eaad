import type { UpstreamName } from '../wire/values.ts';
import type { CallRecord } from './call.ts';
import type { Expired } from './store/store.ts';

/** The data of one finished request for the metrics, without personal data. */
export interface RequestRecord {
  /** Operation id; null when the path or method belongs to no operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly upstream: readonly CallRecord[];
  /** Code of the problem in the answer; undefined when the answer has none. */
  readonly problem?: string | undefined;
  /** Why a token was refused, as one of a few fixed words; undefined when no token was refused. */
  readonly refusal?: string | undefined;
}

/** One round of the sweeper. */
export interface SweepRecord {
  readonly removed: number;
  readonly failed: number;
  /** Rows whose retention period had ended; undefined when the round ended before that. */
  readonly expired?: Expired;
  /** The error that ended the round early; undefined when there was none. */
  readonly error?: unknown;
}

/** The recorder of metrics. Its methods never throw and do not wait. */
export interface Meters {
  request(entry: RequestRecord): void;
  sweep(entry: SweepRecord): void;
}

/** The entries that wait to be written to the processing log. */
export interface ProcessingLogStats {
  readonly waiting: number;
  /** Age of the oldest waiting log line in milliseconds; 0 when none waits. */
  readonly oldest: number;
  readonly isFailing: boolean;
}

/** Counts of the connections of clients to the public port. */
export interface ConnectionStats {
  /** Number of open connections without a request in progress. */
  readonly idle: number;
  readonly busy: number;
  /** Maximum number of open connections. */
  readonly max: number;
  /** Number of connections since the start that were closed because `max` were open and none could make room. */
  readonly refused: number;
}

/** Counts of the connections in the database's connection pool. */
export interface PoolStats {
  readonly idle: number;
  readonly busy: number;
  /** Number of statements that wait in the pool for a connection. */
  readonly waiting: number;
}

/** The state of a circuit breaker: `closed` permits calls, `open` refuses them, `half-open` permits a trial call. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** The current state of the HTTP client for one upstream. */
export interface UpstreamStats {
  readonly upstream: UpstreamName;
  readonly breaker: BreakerState;
  /** Number of calls in progress, calls that wait for a connection included. */
  readonly underway: number;
  /** Number of open connections. */
  readonly connected: number;
  /** Number of requests that were sent and have no complete answer yet. */
  readonly running: number;
}

/** Whether this instance can serve requests, for the probes and the metrics. */
export interface HealthReport {
  /**
   * False while the process starts or stops, when the keys of the token issuers are not known, and when the store has
   * not answered for too long.
   */
  readonly ready: boolean;
  /** `store`, and each upstream whose circuit breaker is not closed. */
  readonly degraded: readonly string[];
  /** Seconds since the first check to which the store did not answer; 0 while it answers. */
  readonly storeAwaySeconds: number;
  /** Infinite when the store did not answer. */
  readonly storePingSeconds: number;
}
