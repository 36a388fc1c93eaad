import type { CallRecord } from '../../../src/ports/call.ts';
import type { UpstreamName } from '../../../src/wire/values.ts';

export interface UpstreamDetail {
  readonly operation: string;
  /** Name of the simulated fault that was applied; null when there was none. */
  readonly fault: string | null;
}

/** `spanId` is the same for all attempts (retries); undefined for an upstream without trace headers. */
export interface MadeCall {
  readonly upstream: UpstreamName;
  readonly spanId?: string | undefined;
}

/** One record for each attempt (first try and retries). The journal removes the records from it. */
export interface UpstreamCalls {
  /** Adds a record of one attempt that arrived at a simulator. */
  onCall(world: string, call: UpstreamDetail & MadeCall): void;
  /** Removes and returns the oldest records of a call, at most one for each of its attempts. */
  take(world: string, call: MadeCall & Pick<CallRecord, 'attempts'>): readonly UpstreamDetail[];
}

/** Maximum number of calls in the collection. Above it, the records of the oldest call are deleted. */
const MAX_CALLS = 5_000;
/** Maximum number of records of one call. Above it, the oldest record is deleted. */
const MAX_ATTEMPTS = 200;

/** Calls without a span id to one upstream share a key. */
const keyOf = (world: string, { upstream, spanId }: MadeCall): string => spanId ?? `${upstream} ${world}`;

export function createUpstreamCalls(): UpstreamCalls {
  const calls = new Map<string, UpstreamDetail[]>();

  return {
    onCall(world, call) {
      const key = keyOf(world, call);
      const attempts = calls.get(key) ?? [];
      calls.set(key, attempts);
      attempts.push({ operation: call.operation, fault: call.fault });
      if (attempts.length > MAX_ATTEMPTS) attempts.shift();
      const [oldest] = calls.keys();
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
    },
    take(world, call) {
      const key = keyOf(world, call);
      const attempts = calls.get(key) ?? [];
      const taken = attempts.splice(0, call.attempts);
      if (attempts.length === 0) calls.delete(key);
      return taken;
    },
  };
}
