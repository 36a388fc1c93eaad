import type { Clock } from '../../src/ports/clock.ts';
import type { Ids } from '../../src/ports/ids.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import type { Resident } from '../people/resident.ts';
import type { ActiveFault, CallOutcome, Faults, SimulatedUpstream } from './faults.ts';
import type { WorldSettings } from './settings.ts';
import type { SimulatorState } from './state.ts';

/**
 * A world as a simulated upstream sees it: its residents, its clock and its faults. A world is a tenant of the
 * simulator.
 */
export interface World {
  readonly name: string;
  /**
   * Returns the resident with this burgerservicenummer. Returns null when there is no such resident in this world. The
   * default world finds the residents of every world.
   */
  byBsn(bsn: string): ResidentInWorld | null;
  /**
   * Returns the resident with this login, `<slug>` or `<slug>@<world>`, under the same conditions as `byBsn`; null when
   * there is none.
   */
  byLogin(loginId: string): ResidentInWorld | null;
  now(): Date;
  /** Returns the date in this world, `YYYY-MM-DD`. */
  today(): string;
  /**
   * Returns the delay and the fault of this call, and reports the call to `WorldsOptions.onCall`. `traceparent` is the
   * caller's header (W3C Trace Context), which identifies the request that caused the call.
   */
  draw(upstream: SimulatedUpstream, operation: string, traceparent: unknown): CallOutcome;
  readonly state: SimulatorState;
}

/** A resident, their world, and the dates in that world. */
export interface ResidentInWorld {
  readonly resident: Resident;
  readonly world: string;
  /** The date in that world, `YYYY-MM-DD`. */
  readonly today: string;
  /** The date from which the relative dates in the person's fixture are counted, `YYYY-MM-DD`. */
  readonly firstDay: string;
}

/** All worlds of the simulators. A world is created when its name is first used. */
export interface Worlds {
  /** Returns the world with this name; creates it when it does not exist. */
  at(name: string): World;
  faults(name: string): Faults;
  settings(name: string): WorldSettings;
  /**
   * Returns the delay and the fault of a request to the service itself. `applies` must return false for a fault that is
   * not for this request.
   */
  drawService(name: string, operation: string, applies: (fault: ActiveFault) => boolean): CallOutcome;
  /** Returns true when an upstream refuses all connections in a world. */
  isRefusing(name: string, upstream: SimulatedUpstream): boolean;
  /**
   * Calls `work` with all faults of a world switched off, and returns its result. The settings of the world are not
   * changed.
   */
  withoutFaults<Done>(name: string, work: () => Promise<Done>): Promise<Done>;
  /** Stores new settings of a world, which apply from the next call on. */
  change(name: string, settings: WorldSettings): void;
  /** Deletes all stored data and settings of a world, or of every world when `name` is absent. */
  forget(name?: string): void;
  /** Clock of every world without a clock setting. */
  readonly common: Clock;
  /** True when the common clock is frozen. */
  readonly still: boolean;
  /**
   * The clock to which a world's setting `ahead` is added: the common clock, or the system clock when the common clock
   * is frozen.
   */
  readonly running: Clock;
  /** The clock for simulators and rules. It returns the time of each world, with the settings of that world applied. */
  readonly clock: Clock;
  /**
   * The id generator of all worlds. In a world with a frozen clock, ids are reproducible: the same calls give the same
   * ids (exception: `WorldsOptions.randomIds`). In other worlds ids are random.
   */
  readonly ids: Ids;
  readonly state: SimulatorState;
  readonly directory: PeopleDirectory;
}

/** Settings of `createWorlds`: the persons, the clock and the stored state. */
export interface WorldsOptions {
  readonly directory: PeopleDirectory;
  /** Clock of every world without a clock setting. */
  readonly clock: Clock;
  readonly state: SimulatorState;
  /** True when `clock` is frozen; false when absent. */
  readonly still?: boolean;
  /**
   * True when ids must be random in worlds with a frozen clock too. A world that was created empty
   * (`ClockSetting.begun`) still has reproducible ids. In another world the store may already have ids of the same
   * sequence, so that an id could occur twice. False when absent.
   */
  readonly randomIds?: boolean;
  /**
   * Function that is called for every call to an operation of a simulated upstream. When absent, calls are not
   * reported.
   */
  readonly onCall?: (world: string, call: SimulatedCall) => void;
}

/**
 * A call to a simulated upstream. `fault` is the kind of fault, or the latency; null when the call succeeded without
 * delay.
 */
export interface SimulatedCall {
  readonly upstream: SimulatedUpstream;
  readonly operation: string;
  readonly fault: string | null;
  /** Span id of the caller's `traceparent`; undefined when there is none. */
  readonly spanId: string | undefined;
}
