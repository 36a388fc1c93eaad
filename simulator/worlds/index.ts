import { remember } from '../../src/domain/remember.ts';
import { type Clock, dateOf, type Ids, RANDOM_IDS } from '../../src/ports/clock.ts';
import { burger } from '../people/burger.ts';
import { DEFAULT_WORLD, type Inhabitant, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { type Resident, residentOf } from '../people/resident.ts';
import { residentOn } from '../people/resident-on-day.ts';
import { uuidOf } from '../people/uuid.ts';
import {
  type ActiveFault,
  type CallOutcome,
  createFaults,
  type FaultProgress,
  type Faults,
  NO_FAULT,
  SERVICE,
  type SimulatedUpstream,
} from './faults.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { DEFAULT_SETTINGS, type WorldSettings } from './settings.ts';
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

/** Matches a `traceparent` header (W3C Trace Context). Its group is the span id. */
const SPAN_ID = /^[0-9a-f]{2}-[0-9a-f]{32}-([0-9a-f]{16})-/;

/**
 * Returns all worlds of the simulator. Dates in the fixture of a person are relative to a first day: the one that is
 * stored for that person, else `firstDay` in the clock setting of the world, else today.
 */
export function createWorlds(options: WorldsOptions): Worlds {
  const { directory, clock: commonClock, state, isClockFrozen = false, randomIds = false, onCall } = options;
  const worlds = new Map<string, World>();
  /** Number of `withoutFaults` calls in progress, keyed by name of the world. */
  const faultless = new Map<string, number>();
  const runningClock: Clock = isClockFrozen ? { now: () => new Date() } : commonClock;
  const cache = new Map<string, { readonly settings: WorldSettings; readonly faults: Faults }>();
  const progress = new Map<string, Map<string, FaultProgress>>();

  function configurationOf(name: string) {
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const settings = state.settings(name) ?? DEFAULT_SETTINGS;
    const progressHere = progress.get(name) ?? new Map<string, FaultProgress>();
    progress.set(name, progressHere);
    const configuration = { settings, faults: createFaults(faultsOf(settings), progressHere) };
    cache.set(name, configuration);
    return configuration;
  }

  const clock: Clock = {
    now(name) {
      const setting = configurationOf(name).settings.clock;
      if (setting === null) return commonClock.now(name);
      return new Date(setting.kind === 'frozen' ? setting.at : runningClock.now(name).getTime() + setting.ahead);
    },
  };

  const ids: Ids = {
    next(name) {
      const setting = configurationOf(name).settings.clock;
      const isFrozen = setting === null ? isClockFrozen : setting.kind === 'frozen';
      if (!isFrozen || (randomIds && !setting?.begun)) return RANDOM_IDS.next(name);
      const next = state.nextId(name);
      // In the order in which they are made: all of them have the same moment.
      return next.toString(16).padStart(8, '0') + uuidOf(`${name}/${next}`).slice(8);
    },
  };

  const find = createResidentFinder({ directory, state, clock }, (name) => configurationOf(name).settings);

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
      draw(upstream, operation, traceparent, hasEmptyAnswer = false) {
        const applies = ({ kind }: ActiveFault) => kind !== 'empty' || hasEmptyAnswer;
        const outcome = faultless.has(name)
          ? NO_FAULT
          : configurationOf(name).faults.draw(upstream, operation, applies);
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
    changeSettings(name, settings) {
      state.storeSettings(name, settings);
      cache.delete(name);
    },
    forget(name) {
      state.erase(name);
      if (name === undefined) {
        cache.clear();
        progress.clear();
        worlds.clear();
        return;
      }
      cache.delete(name);
      progress.delete(name);
      worlds.delete(name);
    },
    isCommonClockFrozen: isClockFrozen,
    runningClock,
    clock,
    ids,
    state,
    directory,
  };
}

/** Ignores the name of a scenario that does not exist. */
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

/** Maximum number of residents in the cache, of all worlds together. */
const MAX_RESIDENTS = 5_000;

function createResidentFinder(
  { directory, state, clock }: WorldsOptions,
  settingsOf: (world: string) => WorldSettings,
): (inhabitant: Inhabitant | null) => ResidentInWorld | null {
  const residents = new Map<string, Resident>();
  const onDay = createResidentsOnDay(state);
  return (inhabitant) => {
    if (inhabitant === null) return null;
    const { slug, world } = inhabitant;
    const today = dateOf(clock.now(world));
    const firstDay = state.firstDay(loginOf(world, slug)) ?? settingsOf(world).clock?.firstDay ?? today;
    const key = `${slug}@${world}/${firstDay}`;
    const persona = directory.persona(slug);
    const fixture = persona?.kind === 'professional' ? persona.person : null;
    const cached = residents.get(key);
    // This call is made for a cached resident too: `byBsn` finds a number only after it, and a deleted world has lost
    // its numbers.
    const caller = directory.professional(`${slug}@${world}`);
    if (caller === null) return null;
    // The file of a persona can change, and can appear or disappear.
    if (cached?.bsn === caller.bsn && (fixture === null || cached.person === fixture))
      return { resident: onDay(cached, today, firstDay), complete: cached, world, today, firstDay };
    const person = fixture ?? burger(slug, firstDay);
    if (person === null) return null;
    const resident = residentOf(person, caller, firstDay);
    remember(residents, key, resident, MAX_RESIDENTS);
    return { resident: onDay(resident, today, firstDay), complete: resident, world, today, firstDay };
  };
}

/** Requests of later days are kept when the service knows them, so that the register and the service have the same. */
function createResidentsOnDay(state: SimulatorState) {
  const cache = new WeakMap<Resident, { today: string; keepsRequests: boolean; known: Resident }>();
  return (resident: Resident, today: string, firstDay: string): Resident => {
    if (today >= firstDay) return resident;
    const keepsRequests = resident.aanvragen.length > 0 && isKnownToService(state, resident.loginId);
    const cached = cache.get(resident);
    if (cached?.today === today && cached.keepsRequests === keepsRequests) return cached.known;
    const known = residentOn(resident, { today, firstDay }, keepsRequests);
    cache.set(resident, { today, keepsRequests, known });
    return known;
  };
}

/** An assignment of a letter stores the first day of a resident, as a submitted request does. */
const isKnownToService = (state: SimulatorState, login: string): boolean =>
  state.isSeeded(login) || (state.firstDay(login) !== null && state.zaken(login).length === 0);
