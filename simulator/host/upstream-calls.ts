import type { Bron } from '../../src/wire/values.ts';

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
  take(world: string, traceId: string, bron: Bron, most: number): readonly UpstreamDetail[];
}

/** Traces of which something is remembered, and calls of each; the oldest makes room. */
const MOST = 1_000;
const MOST_EACH = 200;

const TRACE = /^[0-9a-f]{32}$/;
/** What speaks no HTTP tells of no trace: then it is the next call of that world. */
const keyOf = (world: string, traceId: string, bron: Bron): string =>
  bron !== 'scanner' && TRACE.test(traceId) ? traceId : `${bron} ${world}`;

/** Holds what simulators saw until the request that caused it has its answer. */
export function collectCalls(): UpstreamCalls {
  const traces = new Map<string, (UpstreamDetail & { readonly bron: Bron })[]>();

  return {
    onCall(world, traceId, call) {
      const key = keyOf(world, traceId, call.bron);
      const seen = traces.get(key) ?? [];
      traces.set(key, seen);
      seen.push(call);
      if (seen.length > MOST_EACH) seen.shift();
      const [oldest] = traces.keys();
      if (traces.size > MOST && oldest !== undefined) traces.delete(oldest);
    },
    take(world, traceId, bron, most) {
      const key = keyOf(world, traceId, bron);
      const seen = traces.get(key) ?? [];
      const taken = seen.filter((call) => call.bron === bron).slice(0, most);
      const left = seen.filter((call) => !taken.includes(call));
      if (left.length === 0) traces.delete(key);
      else traces.set(key, left);
      return taken.map(({ operation, fault }) => ({ operation, fault }));
    },
  };
}
