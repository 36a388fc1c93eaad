import type { ScenarioName } from '../simulator/worlds/scenarios.ts';
import type { ClockChange } from '../testing/clock.ts';
import type { CallFilter } from '../testing/journal.ts';
import type { Fault, Zaak } from '../testing/types.ts';
import type { World } from '../testing/world.ts';

export type { ClockChange, Fault, Zaak as HandledZaak };

/**
 * A request that the MSW request handlers answered, with the upstream calls that it caused and the rules that decided
 * its answer.
 */
export interface HandledRequest {
  readonly method: string;
  /** The path, with the query when there is one. */
  readonly path: string;
  /** The request headers, with names in lower case; without those that have a secret (`authorization`, `cookie`). */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The JSON text of the request body. For an upload it has the fields, and the name and size of the file. Null when the
   * service did not read a body.
   */
  readonly body: string | null;
  readonly status: number;
  /** Subject of the caller; null when the request did not identify a caller. */
  readonly caller: string | null;
  readonly operation: string | null;
  /** Problem code of the answer; null when the answer is not a problem. */
  readonly problem: string | null;
  /** The `traceId` that a problem answer has. */
  readonly traceId: string;
  readonly upstream: readonly { readonly upstream: string; readonly outcome: unknown }[];
  readonly why: readonly { readonly rule: string; readonly facts: unknown; readonly outcome: unknown }[];
}

/**
 * All data and settings behind the MSW request handlers at one moment, as JSON that can be written to a file. The list
 * of answered requests is not in it.
 */
export interface HandlersSnapshot {
  readonly format: 'zorgregister-handlers/1';
  readonly [part: string]: unknown;
}

/** The functions of a world in tests (guides/tests.md) that are the same here, without a control API. */
type SameAsInTests =
  | 'name'
  | 'as'
  | 'headers'
  | 'state'
  | 'brief'
  | 'putBrief'
  | 'post'
  | 'postLetter'
  | 'uploads'
  | 'putUpload'
  | 'sample'
  | 'calls';

/**
 * Functions by which a test or a story controls the world behind its MSW request handlers. That is the world named in
 * the option `persona`, or else `default`. A function that returns a promise rejects when what it is asked is not
 * possible.
 */
export interface HandlersControl extends Pick<World, SameAsInTests> {
  /**
   * Changes the clock: `+4months`, `-1day`, `2026-10-01`, `real`, or a `ClockChange`. Returns the new time of the
   * service. Throws when the change is not valid.
   */
  clock(change: string | ClockChange): Date;
  /** Switches a scenario (a named set of faults) on or off. Throws when there is none with this name. */
  scenario(name: ScenarioName, on?: boolean): void;
  /** Adds a fault of an upstream, or of the service itself (`upstream: 'dienst'`). Throws when it is impossible. */
  fault(fault: Fault): void;
  /** Removes all faults and switches off all scenarios. */
  calm(): void;
  /** Returns the cases (submitted requests) at the simulated register. */
  zaken(): Zaak[];
  /**
   * Decides a case, as a case handler of the register would, and returns it with its new status. `zaak` is its
   * reference, or the persona whose undecided case it is.
   */
  decide(zaak: string, uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling', reden?: string): Promise<Zaak>;
  /**
   * Returns the requests that were answered since the last reset, oldest first, at most 300; with a filter those that fit
   * it. Throws for a persona or operation that does not exist.
   */
  journal(filter?: CallFilter): HandledRequest[];
  /** Returns all data and settings, for `restore`. With a name, `restore` finds them by that name too. */
  snapshot(name?: string): HandlersSnapshot;
  /**
   * Replaces all data and settings by the data and settings in a snapshot: one with this name, or one that is imported
   * from a JSON file. Rejects when there is none with this name, or when `snapshot` has another format.
   */
  restore(snapshot: string | { readonly format: string }): Promise<void>;
  /**
   * Restores the data and settings of a new service, and deletes the data and settings stored in `sessionStorage`. With
   * `begin` (`YYYY-MM-DD`), the data begin on that date and the clock is frozen there.
   */
  reset(begin?: string): Promise<void>;
}
