import type { UpstreamName } from '../../../src/wire/values.ts';

/** The record that a simulator makes of one call. It has data that the adapter in the service does not have. */
export interface UpstreamDetail {
  readonly operation: string;
  /** Name of the fault that was applied, or null. */
  readonly fault: string | null;
}

/**
 * A call of the service to an upstream. `spanId` is undefined for an upstream without trace headers, such as the virus
 * scanner.
 */
export interface MadeCall {
  readonly upstream: UpstreamName;
  readonly spanId?: string | undefined;
}

export interface UpstreamCalls {
  /** Records a call when it arrives at a simulator. */
  onCall(world: string, call: UpstreamDetail & MadeCall): void;
  /** Removes and returns the oldest recorded attempts of one call, at most `max` of them. */
  take(world: string, call: MadeCall, max: number): readonly UpstreamDetail[];
}

/** Maximum number of calls whose attempts are kept. Above it, the oldest call is dropped. */
const MAX_CALLS = 5_000;
/** Maximum number of attempts that are kept for one call. Above it, the oldest attempt is dropped. */
const MAX_ATTEMPTS = 200;

/**
 * Returns the key of a call: its span id, which is different for each call. A call without a span id has the upstream
 * and the world as its key.
 */
const keyOf = (world: string, { upstream, spanId }: MadeCall): string => spanId ?? `${upstream} ${world}`;

/**
 * Returns a collection that keeps the records of the simulators until the journal takes them, after the request was
 * answered.
 */
export function collectCalls(): UpstreamCalls {
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
    take(world, call, max) {
      const key = keyOf(world, call);
      const attempts = calls.get(key) ?? [];
      const taken = attempts.splice(0, max);
      if (attempts.length === 0) calls.delete(key);
      return taken;
    },
  };
}
