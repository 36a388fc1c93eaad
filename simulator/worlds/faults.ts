import { createRandom, type Random } from './random.ts';

/** The simulated upstreams, by the word under which an answer names them. */
export const UPSTREAMS = ['register', 'brp', 'duo', 'documenten', 'scanner'] as const;
export type SimulatedUpstream = (typeof UPSTREAMS)[number];

/** What can go wrong with an upstream, each with what then happens. */
export const FAULT_KINDS = {
  refused: 'takes no connection',
  reset: 'takes the question, does nothing and resets the connection',
  lost: 'does what was asked and resets the connection: the answer is lost',
  cut: 'cuts its answer half-way',
  drip: 'drips its answer, a byte at a time',
  hang: 'takes the question and says nothing',
  latency: 'answers late',
  status: 'answers with a status, and a Retry-After where that is given',
  garbage: 'answers 200 with what is no JSON',
  'wrong-schema': 'answers 200 with JSON of another shape',
  empty: 'answers that it knows of nothing',
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;

/** Milliseconds: always so many, anything between two, or lognormal about a median as real services are. */
export type Duration =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

export interface Fault {
  readonly upstream: SimulatedUpstream;
  /** One operation of it; absent: all. */
  readonly operation?: string;
  readonly kind: FaultKind;
  /** How late, or how long between two drops. */
  readonly ms?: Duration;
  /** For `status`: 400 to 599. */
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Of each call, from 0 to 1; absent: always. */
  readonly probability?: number;
  /** What the draws begin with: the same seed, the same calls hit. */
  readonly seed?: number;
}

export interface FaultOn extends Fault {
  readonly id: string;
  /** The scenario that it is part of, or null for one of its own. */
  readonly scenario: string | null;
}

/** What happens to one call: it waits, and then goes well or not. */
export interface Drawn {
  readonly delay: number;
  readonly fault: FaultOn | null;
}

/** The faults of one world. */
export interface Faults {
  list(): readonly FaultOn[];
  /** What happens to this call. Draws: asking twice is two calls. */
  draw(upstream: SimulatedUpstream, operation: string): Drawn;
  /** Whether an upstream takes connections at all. */
  isRefusing(upstream: SimulatedUpstream): boolean;
}

/** A call to which nothing happens. */
export const NO_FAULT: Drawn = { delay: 0, fault: null };
/** Milliseconds, where a fault does not say. */
const LATE = 1_000;

export function createFaults(list: readonly FaultOn[]): Faults {
  const random = new Map(list.map((fault, index) => [fault.id, createRandom(fault.seed ?? index + 1)]));

  return {
    list: () => list,
    isRefusing: (upstream) => list.some((fault) => fault.kind === 'refused' && fault.upstream === upstream),
    draw(upstream, operation) {
      if (list.length === 0) return NO_FAULT;
      let delay = 0;
      let hit: FaultOn | null = null;
      for (const fault of list) {
        if (fault.upstream !== upstream || (fault.operation !== undefined && fault.operation !== operation)) continue;
        const dice = random.get(fault.id);
        if (dice === undefined || dice() >= (fault.probability ?? 1)) continue;
        if (fault.kind === 'latency') delay += durationOf(fault.ms ?? LATE, dice);
        else hit ??= fault;
      }
      return { delay, fault: hit };
    },
  };
}

function durationOf(ms: Duration, dice: Random): number {
  if (typeof ms === 'number') return ms;
  if ('min' in ms) return Math.round(ms.min + dice() * (ms.max - ms.min));
  // Box-Muller; 1 − x, since the logarithm of 0 is no number.
  const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());
  return Math.round(Math.min(ms.median * Math.exp(ms.sigma * normal), LONGEST));
}

/** Nobody waits longer. */
const LONGEST = 60_000;
