import type { UpstreamName } from '../../src/wire/values.ts';

/** A simulator's record of one call: data that the adapter in the service does not have. */
export interface UpstreamDetail {
  readonly operation: string;
  /** Name of the fault that was applied, or null. */
  readonly fault: string | null;
}

export interface UpstreamCalls {
  /** Records a call when it arrives at a simulator. */
  onCall(world: string, traceId: string, call: UpstreamDetail & { readonly upstream: UpstreamName }): void;
  /**
   * Removes and returns the oldest recorded calls of a trace to one upstream, at most `max`. Later ones stay recorded.
   */
  take(world: string, traceId: string, upstream: UpstreamName, max: number): readonly UpstreamDetail[];
}

/** Maximum number of traces with recorded calls. The oldest is dropped. */
const MAX_TRACES = 1_000;
/** Maximum number of recorded calls of one trace. The oldest is dropped. */
const MAX_CALLS_PER_TRACE = 200;

const TRACE = /^[0-9a-f]{32}$/;
/** Returns the key of a call: its trace id, or the upstream and world for the scanner, which has no trace headers. */
const keyOf = (world: string, traceId: string, upstream: UpstreamName): string =>
  upstream !== 'scanner' && TRACE.test(traceId) ? traceId : `${upstream} ${world}`;

/**
 * Returns a collection of the simulators' records. It keeps them until the journal takes them, after the request was
 * answered.
 */
export function collectCalls(): UpstreamCalls {
  const traces = new Map<string, (UpstreamDetail & { readonly upstream: UpstreamName })[]>();

  return {
    onCall(world, traceId, call) {
      const key = keyOf(world, traceId, call.upstream);
      const seen = traces.get(key) ?? [];
      traces.set(key, seen);
      seen.push(call);
      if (seen.length > MAX_CALLS_PER_TRACE) seen.shift();
      const [oldest] = traces.keys();
      if (traces.size > MAX_TRACES && oldest !== undefined) traces.delete(oldest);
    },
    take(world, traceId, upstream, max) {
      const key = keyOf(world, traceId, upstream);
      const seen = traces.get(key) ?? [];
      const taken = seen.filter((call) => call.upstream === upstream).slice(0, max);
      const left = seen.filter((call) => !taken.includes(call));
      if (left.length === 0) traces.delete(key);
      else traces.set(key, left);
      return taken.map(({ operation, fault }) => ({ operation, fault }));
    },
  };
}
