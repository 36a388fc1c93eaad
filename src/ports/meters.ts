import type { Bron } from '../wire/values.ts';
import type { CallRecord } from './call.ts';

/** One request, as it is counted: facts with few values, never a person, a path or an id. */
export interface RequestRecord {
  /** Null for what is no operation of ours. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly upstream: readonly CallRecord[];
}

/** Counts what passes, for whoever watches the service. Never throws, never waits. */
export interface Meters {
  request(entry: RequestRecord): void;
}

/** Whether a source is asked: yes, no, or by one call that tries. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** How the door to one source is at this moment. */
export interface UpstreamStats {
  readonly bron: Bron;
  readonly breaker: BreakerState;
  /** Calls under way, those that wait for a connection included. */
  readonly underway: number;
  /** Connections that are open, and those at work. */
  readonly connected: number;
  readonly running: number;
}
