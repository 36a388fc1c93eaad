import * as z from 'zod';
import { createRandom } from '../people/draw.ts';

/** The simulated upstreams, in the order of their TCP ports. */
export const UPSTREAMS = ['register', 'brp', 'duo', 'documenten', 'scanner'] as const;
export type SimulatedUpstream = (typeof UPSTREAMS)[number];

/** The name of the service itself as the target of a fault. */
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

export type ServiceFaultKind = keyof typeof SERVICE_FAULT_KINDS;
export type FaultKind = keyof typeof FAULT_KINDS | ServiceFaultKind;

/** A delay in milliseconds, at most one minute. */
const wait = z.number().nonnegative().max(60_000);

/**
 * A lognormal distribution has the standard deviation `sigma` of the logarithm; a number above 60,000 from it becomes
 * 60,000.
 */
const Duration = z
  .union([
    wait,
    z.strictObject({ min: wait, max: wait }),
    z.strictObject({ median: wait.positive(), sigma: z.number().nonnegative() }),
  ])
  .meta({
    id: 'Duration',
    description:
      'Milliseconds: a fixed number, a range in which each value is equally likely, or a lognormal distribution.',
  });

export const Fault = z
  .strictObject({
    upstream: z.enum(FAULT_TARGETS),
    operation: z.string().optional().describe('The only operation that the fault affects; all operations when absent.'),
    kind: z
      .enum(Object.keys({ ...FAULT_KINDS, ...SERVICE_FAULT_KINDS }) as [FaultKind, ...FaultKind[]])
      .describe('What goes wrong. `problem` answers with the problem in `code`; only for the service itself.'),
    /**
     * When absent: 1,000 ms for `latency`, 250 ms for `drip` (400 ms for the simulated virus scanner). A `drip` fault with
     * a duration that is not a fixed number also uses that default.
     */
    ms: Duration.optional().describe(
      'Milliseconds: for `latency` the delay; for `drip` the time between two bytes, a fixed number.',
    ),
    /** For an upstream, 503 when absent. */
    status: z.int().min(400).max(599).optional().describe('Status to answer with, for `status`.'),
    code: z.string().max(64).optional().describe('Only for `problem`: the problem code.'),
    retryAfter: z.int().nonnegative().optional().describe('Seconds in the header `Retry-After` of the answer.'),
    persona: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Only for the service itself: the one person whose requests the fault affects; all persons when absent.',
      ),
    after: z
      .int()
      .nonnegative()
      .max(1_000_000)
      .optional()
      .describe('Number of calls that succeed before the fault begins.'),
    times: z
      .int()
      .positive()
      .max(1_000_000)
      .optional()
      .describe(
        'Number of calls after `after` that the fault can affect; without limit when absent. Later calls succeed.',
      ),
    probability: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('Chance that the fault affects a call, above 0 and up to 1; 1 when absent.'),
    /** When absent: the place of the fault in the list of faults of its world when it was set, counted from 1. */
    seed: z.int().optional().describe('The same seed fails the same calls.'),
  })
  .meta({ id: 'Fault', description: 'A fault to simulate, of an upstream or of the service itself (`dienst`).' });

export type SimulatedFault = z.output<typeof Fault>;

export const FaultOn = Fault.extend({
  id: z.string(),
  scenario: z
    .string()
    .nullable()
    .describe('The scenario that the fault is part of; null when it was added separately.'),
}).meta({ id: 'FaultOn', description: 'An active fault.' });

export type ActiveFault = z.output<typeof FaultOn>;

/** The effect of faults on one call: first a delay in milliseconds (0 for none), and then a fault (null for none). */
export interface CallOutcome {
  readonly delay: number;
  readonly fault: ActiveFault | null;
}

/** The active faults of one world, with a function that selects the fault for each call. */
export interface Faults {
  /** Returns the faults that can still affect a call: a fault whose `times` is used up is not in the list. */
  list(): readonly ActiveFault[];
  /**
   * Returns the delay and the fault for one call of an operation. A fault for which `applies` returns false is skipped.
   * Call it exactly once for each call of the operation, because it counts calls (`SimulatedFault.after` and `times`) and draws
   * random numbers.
   */
  draw(target: FaultTarget, operation: string, applies?: (fault: ActiveFault) => boolean): CallOutcome;
  isRefusing(upstream: SimulatedUpstream): boolean;
}

/** How far a fault is: the number of calls that were counted for `after` and `times`, and its random generator. */
export interface FaultProgress {
  calls: number;
  readonly random: () => number;
}

export const NO_FAULT: CallOutcome = { delay: 0, fault: null };
const DEFAULT_LATENCY = 1_000;

/**
 * Returns the faults of a world. When several faults affect one call, their delays are added up, and the call fails
 * with the first fault that is not a `latency`.
 * @param list - the faults, in order of priority
 * @param progress - the progress of each fault, keyed by fault id. It is changed. Pass the same map again when the settings
 * of the world change, so that the other faults continue where they were.
 */
export function createFaults(list: readonly ActiveFault[], progress: Map<string, FaultProgress>): Faults {
  const ids = new Set(list.map(({ id }) => id));
  for (const id of progress.keys()) if (!ids.has(id)) progress.delete(id);
  for (const [index, { id, seed }] of list.entries())
    if (!progress.has(id)) progress.set(id, { calls: 0, random: createRandom(seed ?? index + 1) });

  return {
    list: () =>
      list.filter(({ id, after = 0, times }) => times === undefined || (progress.get(id)?.calls ?? 0) < after + times),
    isRefusing: (upstream) => list.some((fault) => fault.kind === 'refused' && fault.upstream === upstream),
    draw(target, operation, applies = always) {
      if (list.length === 0) return NO_FAULT;
      let delay = 0;
      let hit: ActiveFault | null = null;
      for (const fault of list) {
        if (fault.upstream !== target || (fault.operation !== undefined && fault.operation !== operation)) continue;
        const its = progress.get(fault.id);
        if (its === undefined || !applies(fault)) continue;
        if (fault.after !== undefined || fault.times !== undefined) {
          const earlier = its.calls;
          its.calls += 1;
          const begin = fault.after ?? 0;
          if (earlier < begin || earlier >= begin + (fault.times ?? Number.POSITIVE_INFINITY)) continue;
        }
        if (its.random() >= (fault.probability ?? 1)) continue;
        if (fault.kind === 'latency') delay += durationOf(fault.ms ?? DEFAULT_LATENCY, its.random);
        else hit ??= fault;
      }
      return { delay, fault: hit };
    },
  };
}

const always = (): boolean => true;

function durationOf(ms: z.output<typeof Duration>, random: () => number): number {
  if (typeof ms === 'number') return ms;
  if ('min' in ms) return Math.round(ms.min + random() * (ms.max - ms.min));
  // Box-Muller transform. `1 - random` is never 0, so its logarithm is finite.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(Math.min(ms.median * Math.exp(ms.sigma * normal), MAX_DURATION));
}

const MAX_DURATION = 60_000;

/** Returns a fault as text: where it is and what goes wrong, such as `register zaken-indienen: lost`. */
export const faultText = ({ upstream, operation, ...what }: SimulatedFault): string =>
  `${upstream}${operation === undefined ? '' : ` ${operation}`}: ${whatText(what)}`;

/** Returns what goes wrong as text, such as `latency about 900 ms` or `status 429 for sanne-de-wit, Retry-After 10`. */
export function whatText(fault: Omit<SimulatedFault, 'upstream' | 'operation'>): string {
  const { kind, code, ms, status, probability, persona, after, times, retryAfter } = fault;
  const first = [
    code ?? kind,
    status,
    ms === undefined ? undefined : durationText(ms),
    probability === undefined ? undefined : `${probability * 100} %`,
    persona === undefined ? undefined : `for ${persona}`,
  ];
  const others = [
    after === undefined ? undefined : `after ${callsText(after)}`,
    times === undefined ? undefined : `for ${callsText(times)}`,
    retryAfter === undefined ? undefined : `Retry-After ${retryAfter}`,
  ];
  return [first.filter((part) => part !== undefined).join(' '), ...others]
    .filter((part) => part !== undefined)
    .join(', ');
}

const callsText = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

function durationText(ms: z.output<typeof Duration>): string {
  if (typeof ms === 'number') return `${ms} ms`;
  return 'min' in ms ? `${ms.min}–${ms.max} ms` : `about ${ms.median} ms`;
}
