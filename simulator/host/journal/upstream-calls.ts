import type { UpstreamName } from '../../../src/wire/values.ts';

/** What a simulator records about one attempt of a call. The adapter in the service does not have these data. */
export interface UpstreamDetail {
  readonly operation: string;
  /** Name of the fault that was applied, or null. */
  readonly fault: string | null;
}

/**
 * A call of the service to an upstream. `spanId` is the span id in its `traceparent` header, the same for all attempts
 * (retries) of the call; undefined for an upstream without trace headers, such as the virus scanner.
 */
export interface MadeCall {
  readonly upstream: UpstreamName;
  readonly spanId?: string | undefined;
}

/** The records of attempts that simulators made, until the journal takes them. */
export interface UpstreamCalls {
  /** Records an attempt of a call; called when it arrives at a simulator. */
  onCall(world: string, call: UpstreamDetail & MadeCall): void;
  /** Removes and returns the oldest recorded attempts of one call, at most `max` of them. */
  take(world: string, call: MadeCall, max: number): readonly UpstreamDetail[];
}

/** Maximum number of calls whose attempts are kept. Above it, the records of the oldest call are deleted. */
const MAX_CALLS = 5_000;
/** Maximum number of attempts that are kept for one call. Above it, the oldest is deleted. */
const MAX_ATTEMPTS = 200;

/**
 * Returns the key under which the attempts of a call are kept: its span id, which is different for each call. All calls
 * without a span id to one upstream in one world share a key.
 */
const keyOf = (world: string, { upstream, spanId }: MadeCall): string => spanId ?? `${upstream} ${world}`;

/**
 * Returns an empty collection, which keeps what the simulators record about calls until the journal takes it, after the
 * request of the frontend was answered.
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
