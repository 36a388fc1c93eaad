import type { ProblemCode } from '../client/api.ts';
import type { SimulatedFault } from '../simulator/worlds/faults.ts';
import type { ScenarioName } from '../simulator/worlds/scenarios.ts';
import type { ClockChange } from '../testing/clock.ts';

export type { ClockChange };

/**
 * A request that the handlers answered, with the upstream calls that it caused and the rules that decided its answer.
 */
export interface HandledRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Subject of the caller; null when the request identified no caller. */
  readonly caller: string | null;
  readonly operation: string | null;
  /** Problem code of the answer; null when the answer is not a problem. */
  readonly problem: string | null;
  readonly upstream: readonly { readonly upstream: string; readonly outcome: unknown }[];
  readonly why: readonly { readonly rule: string; readonly facts: unknown; readonly outcome: unknown }[];
}

/** A case at the simulated register: a request that it has received. */
export interface HandledZaak {
  readonly referentie: string;
  readonly soort: string;
  readonly slug: string;
  readonly status: string;
}

/** A snapshot with all state of the handlers. It is JSON, and may be written to a file. */
export interface HandlersSnapshot {
  readonly format: 'zorgregister-handlers/1';
  readonly [part: string]: unknown;
}

/**
 * Functions with which a test or a story controls the world (tenant of the simulator) behind its handlers. It is the
 * world that the option `persona` names after `@`, else the world `default`. The fixture `bff` of the testing entries
 * has the same functions.
 */
export interface HandlersControl {
  /**
   * Changes the clock: `+4months`, `-1day`, `2026-10-01`, `real`, or a `ClockChange`. Returns the new time of the
   * service. Throws when a text is none of these.
   */
  clock(change: string | ClockChange): Date;
  /** Switches a scenario on or off. Throws when there is no scenario with this name. */
  scenario(name: ScenarioName, on?: boolean): void;
  /** Adds a fault of an upstream, or of the service itself (`upstream: 'dienst'`). */
  fault(fault: SimulatedFault & { readonly code?: ProblemCode }): void;
  /** Switches off all scenarios and faults of the world (tenant of the simulator). */
  calm(): void;
  /** Returns the cases (requests) at the simulated register, such as those that were submitted. */
  zaken(): HandledZaak[];
  /** Decides a case, as a case handler at the register would. Returns the case with its new status. */
  decide(
    referentie: string,
    uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling',
    reden?: string,
  ): Promise<HandledZaak>;
  /** Returns the last 300 requests that were answered since the last reset, oldest first. */
  journal(): HandledRequest[];
  snapshot(): HandlersSnapshot;
  /** Replaces all state of the handlers by that in a snapshot. Rejects when `snapshot` was not made by `handlers`. */
  restore(snapshot: HandlersSnapshot): Promise<void>;
  /** Resets all state to that of a new call of `handlers`, and removes what was kept in `sessionStorage`. */
  reset(): Promise<void>;
}
