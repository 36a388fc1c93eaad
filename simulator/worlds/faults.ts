import { createRandom, type Random } from '../people/random.ts';

/**
 * Names of the simulated upstreams, as responses and settings spell them. The ports of the simulators have this order.
 */
export const UPSTREAMS = ['register', 'brp', 'duo', 'documenten', 'scanner'] as const;
export type SimulatedUpstream = (typeof UPSTREAMS)[number];

/** Kinds of fault that a simulated upstream can have, each with a short description for the documentation. */
export const FAULT_KINDS = {
  refused: 'refuses connections',
  reset: 'receives the request, does nothing, and resets the connection',
  lost: 'handles the request, then resets the connection: the answer is lost',
  cut: 'closes the connection halfway through its answer',
  drip: 'sends its answer one byte at a time',
  hang: 'receives the request and never answers',
  latency: 'answers late',
  status: 'answers with an error status, with Retry-After when that is set',
  garbage: 'answers 200 with a body that is not JSON',
  'wrong-schema': 'answers 200 with JSON of another structure',
  empty: 'answers that it has no data',
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;

/**
 * A duration in milliseconds: fixed, uniform between `min` and `max`, or lognormal about a median, as the response
 * times of real services are.
 */
export type FaultDuration =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** A fault of a simulated upstream, as a test, a scenario or a developer configures it. */
export interface SimulatedFault {
  readonly upstream: SimulatedUpstream;
  /** Name of the one operation that fails; absent: all operations of the upstream. */
  readonly operation?: string;
  readonly kind: FaultKind;
  /** For `latency`: the delay. For `drip`: the time between two bytes; only a fixed duration counts there. */
  readonly ms?: FaultDuration;
  /** For `status`: the HTTP status, 400 to 599; absent: 503. */
  readonly status?: number;
  /** For `status`: the Retry-After header, in seconds; absent: no such header. */
  readonly retryAfter?: number;
  /** Probability that a call is hit, from 0 to 1; absent: every call is hit. */
  readonly probability?: number;
  /** Seed of the random generator. With the same seed the same calls are hit. */
  readonly seed?: number;
}

/** A fault that is switched on in a world. */
export interface ActiveFault extends SimulatedFault {
  readonly id: string;
  /** Name of the scenario that the fault is part of; null for a fault that was switched on by itself. */
  readonly scenario: string | null;
}

/** What happens to one call: it is delayed by `delay` milliseconds, and then fails with `fault`; null: it succeeds. */
export interface CallOutcome {
  readonly delay: number;
  readonly fault: ActiveFault | null;
}

/** The faults of one world, and the decision which calls they hit. */
export interface Faults {
  list(): readonly ActiveFault[];
  /** Decides what happens to one call. Each call of this method advances the random generators. */
  draw(upstream: SimulatedUpstream, operation: string): CallOutcome;
  /** True when the upstream refuses every connection. */
  isRefusing(upstream: SimulatedUpstream): boolean;
}

/** Outcome of a call that is neither delayed nor fails. */
export const NO_FAULT: CallOutcome = { delay: 0, fault: null };
/** Delay of a `latency` fault that has no `ms`, in milliseconds. */
const DEFAULT_LATENCY = 1_000;

/**
 * Returns the faults of a world. Of several faults that hit one call, the delays add up and the first other one counts.
 */
export function createFaults(list: readonly ActiveFault[]): Faults {
  const generators = new Map(list.map((fault, index) => [fault.id, createRandom(fault.seed ?? index + 1)]));

  return {
    list: () => list,
    isRefusing: (upstream) => list.some((fault) => fault.kind === 'refused' && fault.upstream === upstream),
    draw(upstream, operation) {
      if (list.length === 0) return NO_FAULT;
      let delay = 0;
      let hit: ActiveFault | null = null;
      for (const fault of list) {
        if (fault.upstream !== upstream || (fault.operation !== undefined && fault.operation !== operation)) continue;
        const random = generators.get(fault.id);
        if (random === undefined || random() >= (fault.probability ?? 1)) continue;
        if (fault.kind === 'latency') delay += durationOf(fault.ms ?? DEFAULT_LATENCY, random);
        else hit ??= fault;
      }
      return { delay, fault: hit };
    },
  };
}

/** Returns a duration in milliseconds, drawn with the generator where it is not fixed. */
function durationOf(ms: FaultDuration, random: Random): number {
  if (typeof ms === 'number') return ms;
  if ('min' in ms) return Math.round(ms.min + random() * (ms.max - ms.min));
  // Box-Muller transform. `1 - random` is never 0, so its logarithm is finite.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(Math.min(ms.median * Math.exp(ms.sigma * normal), MAX_DURATION));
}

/** Maximum of a lognormal duration, in milliseconds. */
const MAX_DURATION = 60_000;
