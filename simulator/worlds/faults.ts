import { createRandom, type Random } from '../people/random.ts';

/**
 * Names of the simulated upstreams, as responses and settings spell them. The ports of the simulators have this order.
 */
export const UPSTREAMS = ['register', 'brp', 'duo', 'documenten', 'scanner'] as const;
export type SimulatedUpstream = (typeof UPSTREAMS)[number];

/** Name of the service itself as the target of a fault: its own operations fail. */
export const SERVICE = 'dienst';
/** What a fault can be set on: an upstream, or the service itself. */
export const FAULT_TARGETS = [...UPSTREAMS, SERVICE] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

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

/** Kinds of fault that the service itself can have, each with a short description for the documentation. */
export const SERVICE_FAULT_KINDS = {
  problem: 'answers with the problem `code`, if the operation documents it, with Retry-After when that is set',
  status: 'answers with the first problem that the operation documents for `status`',
  latency: 'handles the request late',
  reset: 'receives the request, does nothing, and closes the connection',
  cut: 'closes the connection when half of the body, such as an upload, has arrived',
  lost: 'handles the request, then closes the connection: the answer is lost',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS | keyof typeof SERVICE_FAULT_KINDS;

/**
 * A duration in milliseconds: fixed, uniform between `min` and `max`, or lognormal about a median, as the response
 * times of real services are.
 */
export type FaultDuration =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** A fault of a simulated upstream or of the service, as a test, a scenario or a developer configures it. */
export interface SimulatedFault {
  readonly upstream: FaultTarget;
  /** Name of the one operation that fails; absent: all operations. */
  readonly operation?: string;
  readonly kind: FaultKind;
  /** For `latency`: the delay. For `drip`: the time between two bytes; only a fixed duration counts there. */
  readonly ms?: FaultDuration;
  /** For `status`: the HTTP status, 400 to 599; absent: 503. */
  readonly status?: number;
  /** For `problem`: the code of the problem (reference/problems.md). */
  readonly code?: string;
  /**
   * For `status` and `problem`: the Retry-After header, in seconds. Absent: no such header from an upstream, and from
   * the service the one that it sends with this problem.
   */
  readonly retryAfter?: number;
  /** For the service: slug of the one person whose requests fail; absent: everyone's. */
  readonly persona?: string;
  /** Number of calls that succeed before the first one is hit; absent: 0. */
  readonly after?: number;
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
  /**
   * Decides what happens to one call. Each call of this method advances the random generators and the counts of calls.
   * A fault for which `applies` returns false does not count the call.
   */
  draw(target: FaultTarget, operation: string, applies?: (fault: ActiveFault) => boolean): CallOutcome;
  /** True when the upstream refuses every connection. */
  isRefusing(upstream: SimulatedUpstream): boolean;
}

/** Outcome of a call that is neither delayed nor fails. */
export const NO_FAULT: CallOutcome = { delay: 0, fault: null };
/** Delay of a `latency` fault that has no `ms`, in milliseconds. */
const DEFAULT_LATENCY = 1_000;

/**
 * Returns the faults of a world. Of several faults that hit one call, the delays add up and the first other one counts.
 *
 * @param counts - number of calls by fault id, for `after`; it is kept when the faults of the world change
 */
export function createFaults(list: readonly ActiveFault[], counts: Map<string, number> = new Map()): Faults {
  const ids = new Set(list.map(({ id }) => id));
  for (const id of counts.keys()) if (!ids.has(id)) counts.delete(id);
  const generators = new Map(list.map((fault, index) => [fault.id, createRandom(fault.seed ?? index + 1)]));

  return {
    list: () => list,
    isRefusing: (upstream) => list.some((fault) => fault.kind === 'refused' && fault.upstream === upstream),
    draw(target, operation, applies = always) {
      if (list.length === 0) return NO_FAULT;
      let delay = 0;
      let hit: ActiveFault | null = null;
      for (const fault of list) {
        if (fault.upstream !== target || (fault.operation !== undefined && fault.operation !== operation)) continue;
        if (!applies(fault)) continue;
        if (fault.after !== undefined) {
          const count = counts.get(fault.id) ?? 0;
          counts.set(fault.id, count + 1);
          if (count < fault.after) continue;
        }
        const random = generators.get(fault.id);
        if (random === undefined || random() >= (fault.probability ?? 1)) continue;
        if (fault.kind === 'latency') delay += durationOf(fault.ms ?? DEFAULT_LATENCY, random);
        else hit ??= fault;
      }
      return { delay, fault: hit };
    },
  };
}

const always = (): boolean => true;

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
