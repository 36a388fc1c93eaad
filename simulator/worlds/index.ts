import type { Clock } from '../../src/ports/clock.ts';
import type { Ids } from '../../src/ports/ids.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import type { Resident } from '../people/resident.ts';
import type { ActiveFault, CallOutcome, Faults, SimulatedUpstream } from './faults.ts';
import type { WorldSettings } from './settings.ts';
import type { SimulatorState } from './state.ts';

/**
 * One world, as a simulated upstream uses it: its residents, its clock and its faults. A world is a tenant of the
 * simulator: a full copy of all persons and their data.
 */
export interface World {
  readonly name: string;
  /**
   * Returns the resident with this burgerservicenummer; null when this world has no such resident. In the default world
   * this finds the residents of all worlds, because a caller without a world prefix uses the default world.
   */
  byBsn(bsn: string): ResidentInWorld | null;
  /**
   * Returns the resident with this login, `<slug>` or `<slug>@<world>`; null when this world has no such resident. In
   * the default world this finds the residents of all worlds.
   */
  byLogin(loginId: string): ResidentInWorld | null;
  /** Returns the time by the clock of this world. */
  now(): Date;
  /** Returns the date by the clock of this world, `YYYY-MM-DD`. */
  today(): string;
  /**
   * Selects the delay and the fault of one call to an operation of an upstream, and reports the call to
   * `WorldsOptions.onCall`. `traceparent` is the caller's header (W3C Trace Context), from which the span id is
   * reported. A fault `empty` is skipped unless `hasEmptyAnswer` is true.
   */
  draw(upstream: SimulatedUpstream, operation: string, traceparent: unknown, hasEmptyAnswer?: boolean): CallOutcome;
  readonly state: SimulatorState;
}

/** A resident (a simulated person), their world, and the dates in that world. */
export interface ResidentInWorld {
  readonly resident: Resident;
  readonly world: string;
  /** The date in that world, `YYYY-MM-DD`. */
  readonly today: string;
  /** The date from which the relative dates in the person's fixture were counted, `YYYY-MM-DD`. */
  readonly firstDay: string;
}

/** All worlds of the simulators. A world is created when its name is first used. */
export interface Worlds {
  /** Returns the world with this name; creates it when it does not exist. */
  at(name: string): World;
  faults(name: string): Faults;
  settings(name: string): WorldSettings;
  /**
   * Selects the delay and the fault of one request to the service itself. `operation` is the id of the requested
   * operation. `applies` must return false for a fault that is not for this request; that fault is then skipped.
   */
  drawService(name: string, operation: string, applies: (fault: ActiveFault) => boolean): CallOutcome;
  /** Returns true when an upstream must refuse all connections in a world, because of a fault of the kind `refused`. */
  isRefusing(name: string, upstream: SimulatedUpstream): boolean;
  /**
   * Calls `work` with all faults of a world switched off, and returns its result. The settings of the world are not
   * changed.
   */
  withoutFaults<Done>(name: string, work: () => Promise<Done>): Promise<Done>;
  /** Replaces the stored settings of a world. The new settings apply from the next call on. */
  change(name: string, settings: WorldSettings): void;
  /**
   * Deletes the simulators' stored data and settings of a world, or of every world when `name` is absent. Does not
   * change the stores of the service.
   */
  forget(name?: string): void;
  /** The common clock: the clock of every world without a clock setting. */
  readonly common: Clock;
  /** True when the common clock is frozen (always returns the same time). */
  readonly still: boolean;
  /**
   * A clock that is never frozen: the common clock, or the system clock when the common clock is frozen. A world whose
   * clock runs ahead (`ClockSetting.ahead`) is ahead of this clock.
   */
  readonly running: Clock;
  /** The clock for simulators and rules: `now(<world>)` returns the time in that world, by its clock setting. */
  readonly clock: Clock;
  /**
   * The id generator of all worlds. In a world with a frozen clock, ids are reproducible: the same calls give the same
   * ids (exception: `WorldsOptions.randomIds`). In other worlds ids are random.
   */
  readonly ids: Ids;
  readonly state: SimulatorState;
  readonly directory: PeopleDirectory;
}

/** Options of `createWorlds`: the persons, the clock and the stored state. */
export interface WorldsOptions {
  readonly directory: PeopleDirectory;
  /** The common clock: the clock of every world without a clock setting. */
  readonly clock: Clock;
  readonly state: SimulatorState;
  /** True when `clock` is frozen (always returns the same time); false when absent. */
  readonly still?: boolean;
  /**
   * True when ids must be random in worlds with a frozen clock too; false when absent. Needed when the store of the
   * service can already have ids of the same sequence: a reproducible id would then occur twice. A world that was empty
   * when its clock was set (`ClockSetting.begun`) has reproducible ids in any case.
   */
  readonly randomIds?: boolean;
  /**
   * Function that is called for every call to an operation of a simulated upstream. When absent, calls are not
   * reported.
   */
  readonly onCall?: (world: string, call: SimulatedCall) => void;
}

/** A call to a simulated upstream, with the fault that was simulated for it. */
export interface SimulatedCall {
  readonly upstream: SimulatedUpstream;
  readonly operation: string;
  /**
   * The kind of the fault, or `latency <n> ms` for a call that was only delayed. Null for a call without fault and
   * delay.
   */
  readonly fault: string | null;
  /** Span id of the caller's `traceparent`; undefined when there is none. */
  readonly spanId: string | undefined;
}
