import type { Clock, Ids } from '../../src/ports/clock.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import type { Resident } from '../people/resident.ts';
import type { ActiveFault, CallOutcome, Faults, SimulatedUpstream } from './faults.ts';
import type { WorldSettings } from './settings.ts';
import type { SimulatorState } from './state.ts';

export interface World {
  readonly name: string;
  /** Null when this world has none. The default world finds the residents of all worlds. */
  byBsn(bsn: string): ResidentInWorld | null;
  /** `<slug>` or `<slug>@<world>`; null when there is none. The default world finds those of all worlds. */
  byLogin(loginId: string): ResidentInWorld | null;
  now(): Date;
  today(): string;
  /**
   * Selects the delay and the fault of one call to an operation of an upstream, and reports the call to
   * `WorldsOptions.onCall`. `traceparent` is the caller's header (W3C Trace Context), from which the span id is
   * reported. A fault `empty` is skipped unless `hasEmptyAnswer` is true.
   */
  draw(upstream: SimulatedUpstream, operation: string, traceparent: unknown, hasEmptyAnswer?: boolean): CallOutcome;
  readonly state: SimulatorState;
}

/** A resident (a simulated person) in one world, with the dates by which the data of the resident are calculated. */
export interface ResidentInWorld {
  readonly resident: Resident;
  /** The resident with the facts of days after today too: the same object, unless the clock was set back. */
  readonly complete: Resident;
  readonly world: string;
  readonly today: string;
  /** The date from which the relative dates in the fixture of this resident are counted, `YYYY-MM-DD`. */
  readonly firstDay: string;
}

export interface Worlds {
  /** Returns the world with this name; creates it when it does not exist. */
  at(name: string): World;
  faults(name: string): Faults;
  settings(name: string): WorldSettings;
  /** `operation` is the id of the requested operation. Skips faults for which `applies` returns false. */
  drawService(name: string, operation: string, applies: (fault: ActiveFault) => boolean): CallOutcome;
  /** Returns true when a world has a fault of the kind `refused` for this upstream, which refuses all connections. */
  isRefusing(name: string, upstream: SimulatedUpstream): boolean;
  /** Calls `work`, and returns its result. Until that is finished, all faults of this world are off. */
  withoutFaults<Done>(name: string, work: () => Promise<Done>): Promise<Done>;
  changeSettings(name: string, settings: WorldSettings): void;
  /** Of every world when `name` is absent. The stores of the service stay unchanged. */
  forget(name?: string): void;
  /** The common clock is that of every world without a clock setting. */
  readonly isCommonClockFrozen: boolean;
  /** The common clock or, when that is frozen, the system clock. `ClockSetting.ahead` is relative to it. */
  readonly runningClock: Clock;
  /** A clock that returns the time in a world: `now(<world>)`. */
  readonly clock: Clock;
  /** Random, except in a world with a frozen clock, unless `WorldsOptions.randomIds` prevents that. */
  readonly ids: Ids;
  readonly state: SimulatorState;
  readonly directory: PeopleDirectory;
}

export interface WorldsOptions {
  readonly directory: PeopleDirectory;
  /** The common clock: the clock of every world without a clock setting. */
  readonly clock: Clock;
  readonly state: SimulatorState;
  /** True when `clock` is frozen (always returns the same time); false when absent. */
  readonly isClockFrozen?: boolean;
  /**
   * True when ids are random in a world with a frozen clock too, unless that world was empty when its clock was set;
   * false when absent. Needed when the store of the service can already have the same reproducible ids.
   */
  readonly randomIds?: boolean;
  readonly onCall?: (world: string, call: SimulatedCall) => void;
}

export interface SimulatedCall {
  readonly upstream: SimulatedUpstream;
  readonly operation: string;
  /** `latency <n> ms` for a call with only a delay; null for a call without delay and without fault. */
  readonly fault: string | null;
  /** Span id of the caller's `traceparent`; undefined when there is none. */
  readonly spanId: string | undefined;
}
