import type { SimulatedFault } from '../simulator/worlds/faults.ts';
import type { ScenarioName } from '../simulator/worlds/scenarios.ts';

/** A change of the clock, as in the control API. */
export type ClockChange =
  | { readonly real: true }
  | { readonly set: string; readonly frozen?: boolean }
  | { readonly move: string; readonly frozen?: boolean }
  | { readonly frozen: boolean }
  /** Sets the clock to `days` after the last day for this persona's herregistratie; a negative number is before it. */
  | { readonly deadline: string; readonly days?: number; readonly frozen?: boolean };

/** One request that the handlers answered: the calls to upstreams that it caused, and the decisions behind its answer. */
export interface HandledRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Subject of the caller; null when nobody was identified. */
  readonly caller: string | null;
  readonly operation: string | null;
  /** Code of the problem; null when the answer is not a problem. */
  readonly problem: string | null;
  readonly upstream: readonly { readonly upstream: string; readonly outcome: unknown }[];
  readonly why: readonly { readonly rule: string; readonly facts: unknown; readonly outcome: unknown }[];
}

/** A case at the simulated register. */
export interface HandledZaak {
  readonly referentie: string;
  readonly soort: string;
  readonly slug: string;
  readonly status: string;
}

/** All state of the handlers: JSON, which may be written to a file. */
export interface HandlersSnapshot {
  readonly format: 'zorgregister-handlers/1';
  readonly [part: string]: unknown;
}

/**
 * What a test or a story can do with the world of its handlers: the same as the fixture `bff` of the testing entries, in
 * the world of the option `persona` (default: `default`).
 */
export interface HandlersControl {
  /** Changes the clock: `+4months`, `-1day`, `2026-10-01`, `real`, or a `ClockChange`. Returns the new time. */
  clock(change: string | ClockChange): Date;
  /** Switches a scenario on or off. */
  scenario(name: ScenarioName, on?: boolean): void;
  /** Adds a fault of an upstream, or of the service itself (`dienst`). */
  fault(fault: SimulatedFault): void;
  /** Switches all scenarios and faults off. */
  calm(): void;
  /** Returns the cases at the register, such as those that were handed in. */
  zaken(): HandledZaak[];
  /** Decides a case in place of the register. */
  decide(
    referentie: string,
    uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling',
    reden?: string,
  ): Promise<HandledZaak>;
  /** Returns the last 300 requests, the newest last. */
  journal(): HandledRequest[];
  snapshot(): HandlersSnapshot;
  /** Replaces all state by a snapshot. */
  restore(snapshot: HandlersSnapshot): Promise<void>;
  /** Returns everything to how it was when `handlers` was called, without what was kept. */
  reset(): Promise<void>;
}
