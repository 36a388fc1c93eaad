import type { UpstreamName } from '../wire/values.ts';
import type { CallRecord } from './call.ts';

/** One finished request, for the metrics. Only values of low cardinality: never a person, a path or an id. */
export interface RequestRecord {
  /** Operation id; null when the path or method matches no operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly upstream: readonly CallRecord[];
}

/** Records metrics. Never throws and never blocks. */
export interface Meters {
  request(entry: RequestRecord): void;
}

/**
 * State of a circuit breaker: `closed` lets calls through, `open` refuses them, `half-open` lets one trial call
 * through.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Current state of the HTTP client of one upstream. */
export interface UpstreamStats {
  readonly upstream: UpstreamName;
  readonly breaker: BreakerState;
  /** Calls in flight, including those that wait for a connection. */
  readonly underway: number;
  /** Open connections. */
  readonly connected: number;
  /** Open connections that carry a call. */
  readonly running: number;
}
