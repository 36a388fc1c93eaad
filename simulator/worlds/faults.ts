import { createRandom, type Random } from '../people/random.ts';

/**
 * Names of the simulated upstreams, as in responses and settings. The ports of the simulators are numbered in this
 * order.
 */
export const UPSTREAMS = ['register', 'brp', 'duo', 'documenten', 'scanner'] as const;
export type SimulatedUpstream = (typeof UPSTREAMS)[number];

/** The fault target for the service itself. With a fault on this target, operations of the service fail. */
export const SERVICE = 'dienst';
/** The targets on which a fault can be set: each upstream, and the service itself. */
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
 * A duration in milliseconds: a fixed number, uniform between `min` and `max`, or lognormal with a median, like the
 * response times of real services.
 */
export type FaultDuration =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** A fault of a simulated upstream or of the service, as a test, a scenario or a developer configures it. */
export interface SimulatedFault {
  readonly upstream: FaultTarget;
  /** Name of the only operation that fails. When absent, all operations fail. */
  readonly operation?: string;
  readonly kind: FaultKind;
  /**
   * The delay of a `latency` fault, or the time between two bytes of a `drip` fault; a `drip` uses only a fixed number.
   */
  readonly ms?: FaultDuration;
  /** The HTTP status (400 to 599) of a `status` fault; 503 when absent. */
  readonly status?: number;
  /** The problem code (reference/problems.md) of a `problem` fault. */
  readonly code?: string;
  /**
   * The Retry-After header in seconds, for `status` and `problem` faults. When absent, an upstream sends no such
   * header, and the service sends its usual header for the problem.
   */
  readonly retryAfter?: number;
  /** For a fault of the service: slug of the only person whose requests fail. When absent, everyone's requests fail. */
  readonly persona?: string;
  /** Number of calls that succeed before the fault hits the first call; 0 when absent. */
  readonly after?: number;
  /** Probability that the fault hits a call, from 0 to 1. When absent, the fault hits every call. */
  readonly probability?: number;
  /** Seed of the random generator. With the same seed, the fault hits the same calls. */
  readonly seed?: number;
}

/** A fault that is switched on in a world. */
export interface ActiveFault extends SimulatedFault {
  readonly id: string;
  /** Name of the scenario that the fault is part of; null for a fault that was set without a scenario. */
  readonly scenario: string | null;
}

/**
 * The outcome of one call. The call is delayed by `delay` milliseconds, and then fails with `fault`, or succeeds when
 * `fault` is null.
 */
export interface CallOutcome {
  readonly delay: number;
  readonly fault: ActiveFault | null;
}

/** The faults of one world. They decide which calls fail. */
export interface Faults {
  list(): readonly ActiveFault[];
  /**
   * Decides what happens to one call. Each `draw` advances the random generators and the counts of calls. A fault for
   * which `applies` returns false cannot hit the call and does not count it.
   */
  draw(target: FaultTarget, operation: string, applies?: (fault: ActiveFault) => boolean): CallOutcome;
  /** True when the upstream refuses every connection. */
  isRefusing(upstream: SimulatedUpstream): boolean;
}

/** The outcome of a call that succeeds without delay. */
export const NO_FAULT: CallOutcome = { delay: 0, fault: null };
/** Delay in milliseconds of a `latency` fault without `ms`. */
const DEFAULT_LATENCY = 1_000;

/**
 * Returns the faults of a world. When several faults hit one call, their delays are added up, and the call fails with
 * the first fault that is not a `latency`.
 *
 * @param counts - number of calls by fault id, for `after`; the map is kept when the faults of the world change
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

/** Returns a duration in milliseconds. Draws the duration with the random generator unless it is a fixed number. */
function durationOf(ms: FaultDuration, random: Random): number {
  if (typeof ms === 'number') return ms;
  if ('min' in ms) return Math.round(ms.min + random() * (ms.max - ms.min));
  // Box-Muller transform. `1 - random` is never 0, so its logarithm is finite.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(Math.min(ms.median * Math.exp(ms.sigma * normal), MAX_DURATION));
}

/** Maximum of a lognormal duration, in milliseconds. */
const MAX_DURATION = 60_000;
