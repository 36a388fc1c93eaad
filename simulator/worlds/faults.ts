import { createRandom, type Random } from '../people/random.ts';

/**
 * Names of the simulated upstreams, as in responses and settings. The ports of the simulators are numbered in this
 * order.
 */
export const UPSTREAMS = ['register', 'brp', 'duo', 'documenten', 'scanner'] as const;
export type SimulatedUpstream = (typeof UPSTREAMS)[number];

/** The fault target for the service itself. A fault on this target makes the service's own operations fail or wait. */
export const SERVICE = 'dienst';
/** The targets on which a fault can be set: each upstream, and the service itself. */
export const FAULT_TARGETS = [...UPSTREAMS, SERVICE] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** The kinds of fault of a simulated upstream, each with a short description for the documentation. */
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

/** The kinds of fault of the service itself, each with a short description for the documentation. */
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
 * A duration in milliseconds: a fixed number, a random number between `min` and `max`, or a random number of a
 * lognormal distribution, as real response times have. `sigma` is its standard deviation on the logarithmic scale. A
 * lognormal duration is at most 60,000 ms.
 */
export type FaultDuration =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** A fault of a simulated upstream or of the service, as a test, a scenario or a developer configures it. */
export interface SimulatedFault {
  readonly upstream: FaultTarget;
  /** Name of the only operation to which the fault applies. When absent, it applies to all operations. */
  readonly operation?: string;
  readonly kind: FaultKind;
  /**
   * The delay of a `latency` fault, or the time between two bytes of a `drip` fault. When absent: 1,000 ms for
   * `latency`, 250 ms for `drip` (400 ms for the simulated virus scanner). A `drip` fault with a duration that is not a
   * fixed number also uses that default.
   */
  readonly ms?: FaultDuration;
  /** The HTTP status (400 to 599) of a `status` fault. For an upstream, 503 when absent. */
  readonly status?: number;
  /** The problem code (reference/problems.md) of a `problem` fault; absent for another kind. */
  readonly code?: string;
  /**
   * The Retry-After header in seconds, for `status` and `problem` faults. When absent, an upstream sends no
   * `Retry-After`, and the service sends the one that it usually sends with the problem, if any.
   */
  readonly retryAfter?: number;
  /**
   * Only for a fault of the service: slug of the one person whose requests fail. When absent, the requests of all
   * persons fail.
   */
  readonly persona?: string;
  /**
   * Number of calls that the fault leaves alone before it begins; 0 when absent. Only calls to which the fault could
   * apply are counted.
   */
  readonly after?: number;
  /** Chance that the fault hits a call, from 0 to 1. When absent, it hits every call. */
  readonly probability?: number;
  /**
   * Seed of the random generator of this fault. With the same seed, the same calls fail. When absent, the seed is the
   * place of the fault in the list of faults of the world: 1 for the first.
   */
  readonly seed?: number;
}

/** A fault that is switched on in a world. */
export interface ActiveFault extends SimulatedFault {
  readonly id: string;
  /** Name of the scenario that the fault is part of; null for a fault that was set without a scenario. */
  readonly scenario: string | null;
}

/**
 * The effect of faults on one call: it is delayed by `delay` milliseconds, and then fails with `fault`, or succeeds
 * when `fault` is null.
 */
export interface CallOutcome {
  readonly delay: number;
  readonly fault: ActiveFault | null;
}

/** The faults of one world (a tenant of the simulator), with a function that selects the fault for each call. */
export interface Faults {
  list(): readonly ActiveFault[];
  /**
   * Selects the delay and the fault of the next call of an operation. A fault for which `applies` returns false is
   * skipped, and does not count the call; when `applies` is absent, none is skipped. Each `draw` changes the counts of
   * calls and the state of the random generators.
   */
  draw(target: FaultTarget, operation: string, applies?: (fault: ActiveFault) => boolean): CallOutcome;
  /** Returns true when the world has a fault of the kind `refused` for this upstream, which refuses all connections. */
  isRefusing(upstream: SimulatedUpstream): boolean;
}

/** The outcome of a call that succeeds without delay. */
export const NO_FAULT: CallOutcome = { delay: 0, fault: null };
/** Delay in milliseconds of a `latency` fault without `ms`. */
const DEFAULT_LATENCY = 1_000;

/**
 * Returns the faults of a world. When several faults apply to one call, their delays are added up, and the call fails
 * with the first fault that is not a `latency`.
 * @param list - the faults, in order of priority
 * @param counts - number of calls of each fault that has `after`, keyed by fault id. The caller passes the same map
 *   again when the faults of the world change; entries of faults that are not in `list` are removed from it.
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

/** Returns a duration in milliseconds: the fixed number unchanged, or else a random whole number. */
function durationOf(ms: FaultDuration, random: Random): number {
  if (typeof ms === 'number') return ms;
  if ('min' in ms) return Math.round(ms.min + random() * (ms.max - ms.min));
  // Box-Muller transform. `1 - random` is never 0, so its logarithm is finite.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(Math.min(ms.median * Math.exp(ms.sigma * normal), MAX_DURATION));
}

/** Maximum of a lognormal duration, in milliseconds. */
const MAX_DURATION = 60_000;
