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
}

/** The recorder of metrics. Its method never throws and never waits. */
export interface Meters {
  /** Records one finished request. */
  request(entry: RequestRecord): void;
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
