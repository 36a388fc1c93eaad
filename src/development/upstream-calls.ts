import type { Bron } from '../wire/values.ts';

/** What a simulator knows of one call beyond what the adapter saw. */
export interface UpstreamDetail {
  readonly operation: string;
  /** The fault that was applied to it, or null. */
  readonly fault: string | null;
}

export interface UpstreamCalls {
  /** Tells of a call when it comes in. */
  onCall(world: string, traceId: string, call: UpstreamDetail & { readonly bron: Bron }): void;
  /** The first so many calls of a trace to one source, which are then forgotten: others of that trace may be under way. */
  take(traceId: string, bron: Bron, most: number): readonly UpstreamDetail[];
}

/** Traces of which something is remembered; the oldest makes room. */
const MOST = 1_000;

/** Holds what simulators saw until the request that caused it has its answer. */
export function collectCalls(): UpstreamCalls {
  const traces = new Map<string, (UpstreamDetail & { readonly bron: Bron })[]>();

  return {
    onCall(_world, traceId, call) {
      const seen = traces.get(traceId);
      if (seen === undefined) traces.set(traceId, [call]);
      else seen.push(call);
      const [oldest] = traces.keys();
      if (traces.size > MOST && oldest !== undefined) traces.delete(oldest);
    },
    take(traceId, bron, most) {
      const seen = traces.get(traceId) ?? [];
      const taken = seen.filter((call) => call.bron === bron).slice(0, most);
      const left = seen.filter((call) => !taken.includes(call));
      if (left.length === 0) traces.delete(traceId);
      else traces.set(traceId, left);
      return taken.map(({ operation, fault }) => ({ operation, fault }));
    },
  };
}
