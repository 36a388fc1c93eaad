import { type Clock, dateOf } from '../../src/ports/clock.ts';
import { type Ids, RANDOM_IDS } from '../../src/ports/ids.ts';
import { burger } from '../people/burger.ts';
import { DEFAULT_WORLD, type Inhabitant, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { type Resident, residentOf } from '../people/resident.ts';
import { uuidOf } from '../people/uuid.ts';
import {
  type ActiveFault,
  type CallOutcome,
  createFaults,
  type Faults,
  NO_FAULT,
  SERVICE,
  type SimulatedUpstream,
} from './faults.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { DEFAULT_SETTINGS, type WorldSettings } from './settings.ts';
import type { SimulatorState } from './state.ts';

/**
 * A world as a simulated upstream sees it: its residents, its clock and its faults. A world is a tenant of the
 * simulator.
 */
export interface World {
  readonly name: string;
  /** Returns the resident with this burgerservicenummer; null when there is no such resident. */
  byBsn(bsn: string): ResidentInWorld | null;
  /** Returns the resident with this login, `<slug>` or `<slug>@<world>`; null when there is no such resident. */
  byLogin(loginId: string): ResidentInWorld | null;
  now(): Date;
  /** Returns the date in this world, `YYYY-MM-DD`. */
  today(): string;
  /**
   * Returns the delay and the fault of this call, and reports the call to `onCall`. `traceparent` is the caller's
   * header (W3C Trace Context), which identifies the request that caused the call.
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
  /** The date from which the offsets in the persona's fixture are counted, `YYYY-MM-DD`. */
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
   * ids. In other worlds ids are random.
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
   * True when ids must be random. A world that was created empty (`ClockSetting.begun`) still has reproducible ids. In
   * another world the store may already have ids of the same sequence, so that an id could occur twice. False when
   * absent.
   */
  readonly randomIds?: boolean;
  /** Function that is called for every call to a simulated upstream. */
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

/** Matches the span id in a `traceparent` header (W3C Trace Context). */
const SPAN_ID = /^[0-9a-f]{2}-[0-9a-f]{32}-([0-9a-f]{16})-/;

/** Maximum number of residents in memory, of all worlds together. The oldest resident is removed first. */
const MAX_RESIDENTS = 5_000;

/**
 * Returns the worlds of the simulator. The data of a resident who has submitted nothing begin today, on every day, so
 * that "four months before the deadline" stays true. After a submission, or after a change of the clock of the world,
 * they begin on a fixed first day.
 */
export function createWorlds({
  directory,
  clock: common,
  state,
  still = false,
  randomIds = false,
  onCall,
}: WorldsOptions): Worlds {
  const residents = new Map<string, Resident>();
  const worlds = new Map<string, World>();
  /** Number of `withoutFaults` calls in progress, keyed by world. */
  const faultless = new Map<string, number>();
  const running: Clock = still ? { now: () => new Date() } : common;
  const cache = new Map<string, { readonly settings: WorldSettings; readonly faults: Faults }>();
  /** Number of calls by fault id, keyed by world. */
  const counts = new Map<string, Map<string, number>>();

  /** Returns the settings and faults of a world, from the cache or else from the stored state. */
  function configurationOf(name: string) {
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const settings = state.settings(name) ?? DEFAULT_SETTINGS;
    const countsHere = counts.get(name) ?? new Map<string, number>();
    counts.set(name, countsHere);
    const configuration = { settings, faults: createFaults(faultsOf(settings), countsHere) };
    cache.set(name, configuration);
    return configuration;
  }

  const clock: Clock = {
    now(name) {
      const setting = configurationOf(name).settings.clock;
      if (setting === null) return common.now(name);
      return new Date(setting.kind === 'frozen' ? setting.at : running.now(name).getTime() + setting.ahead);
    },
  };

  const ids: Ids = {
    next(name) {
      const setting = configurationOf(name).settings.clock;
      const isFrozen = setting === null ? still : setting.kind === 'frozen';
      return isFrozen && (setting?.begun || !randomIds)
        ? uuidOf(`${name}/${state.nextId(name)}`)
        : RANDOM_IDS.next(name);
    },
  };

  function find(inhabitant: Inhabitant | null): ResidentInWorld | null {
    if (inhabitant === null) return null;
    const { slug, world } = inhabitant;
    const today = dateOf(clock.now(world));
    const firstDay = state.firstDay(loginOf(world, slug)) ?? configurationOf(world).settings.clock?.firstDay ?? today;
    const key = `${slug}@${world}/${firstDay}`;
    const persona = directory.persona(slug);
    const fixture = persona?.kind === 'professional' ? persona.person : null;
    const cached = residents.get(key);
    // The file of a persona can change, and can appear or disappear.
    if (cached !== undefined && (fixture === null || cached.person === fixture))
      return { resident: cached, world, today, firstDay };
    const person = fixture ?? burger(slug, firstDay);
    const caller = directory.professional(`${slug}@${world}`);
    if (person === null || caller === null) return null;
    const resident = residentOf(person, caller, firstDay);
    residents.set(key, resident);
    const [oldest] = residents.keys();
    if (residents.size > MAX_RESIDENTS && oldest !== undefined) residents.delete(oldest);
    return { resident, world, today, firstDay };
  }

  function create(name: string): World {
    // A caller of the default path names no world, so the default world finds the residents of every world.
    const visible = (inhabitant: Inhabitant | null): Inhabitant | null =>
      name === DEFAULT_WORLD || inhabitant?.world === name ? inhabitant : null;
    return {
      name,
      byBsn: (bsn) => find(visible(directory.byBsn(bsn))),
      byLogin: (loginId) => find(visible(directory.byLogin(loginId))),
      now: () => clock.now(name),
      today: () => dateOf(clock.now(name)),
      draw(upstream, operation, traceparent) {
        const outcome = faultless.has(name) ? NO_FAULT : configurationOf(name).faults.draw(upstream, operation);
        const fault = outcome.fault?.kind ?? (outcome.delay > 0 ? `latency ${outcome.delay} ms` : null);
        onCall?.(name, { upstream, operation, fault, spanId: SPAN_ID.exec(String(traceparent))?.[1] });
        return outcome;
      },
      state,
    };
  }

  return {
    at(name) {
      const world = worlds.get(name) ?? create(name);
      worlds.set(name, world);
      return world;
    },
    faults: (name) => configurationOf(name).faults,
    settings: (name) => configurationOf(name).settings,
    drawService: (name, operation, applies) =>
      faultless.has(name) ? NO_FAULT : configurationOf(name).faults.draw(SERVICE, operation, applies),
    isRefusing: (name, upstream) => !faultless.has(name) && configurationOf(name).faults.isRefusing(upstream),
    async withoutFaults(name, work) {
      faultless.set(name, (faultless.get(name) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const remaining = (faultless.get(name) ?? 1) - 1;
        if (remaining === 0) faultless.delete(name);
        else faultless.set(name, remaining);
      }
    },
    change(name, settings) {
      state.keepSettings(name, settings);
      cache.delete(name);
    },
    forget(name) {
      state.erase(name);
      if (name === undefined) {
        cache.clear();
        counts.clear();
        worlds.clear();
        return;
      }
      cache.delete(name);
      counts.delete(name);
      worlds.delete(name);
    },
    common,
    still,
    running,
    clock,
    ids,
    state,
    directory,
  };
}

/**
 * Returns all faults in these settings: first those of the scenarios, in the order in which the scenarios were switched
 * on, then the separate ones.
 */
const faultsOf = ({ scenarios, faults }: WorldSettings): ActiveFault[] => [
  ...scenarios.flatMap((scenario) =>
    (SCENARIOS[scenario as ScenarioName]?.faults ?? []).map((fault, index) => ({
      ...fault,
      id: `${scenario}-${index + 1}`,
      scenario,
    })),
  ),
  ...faults.map((fault) => ({ ...fault, scenario: null })),
];
