import { PERSONAS } from '../../fixtures/personas/index.ts';
import { type Clock, dateOf } from '../../src/ports/clock.ts';
import { type Ids, RANDOM_IDS } from '../../src/ports/ids.ts';
import { burger } from '../people/burger.ts';
import { DEFAULT_WORLD, type Inhabitant, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { type Resident, settle } from '../people/resident.ts';
import { uuidOf } from '../people/uuid.ts';
import { createFaults, type Drawn, type FaultOn, type Faults, NO_FAULT, type SimulatedUpstream } from './faults.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { type Settings, UNCHANGED } from './settings.ts';
import type { State } from './state.ts';

/** What a simulated upstream is asked in: who is it, what day is it there, and does it go well. */
export interface World {
  readonly name: string;
  /** The resident with a burgerservicenummer, or null: the registers here know nobody by it. */
  byBsn(bsn: string): Found | null;
  byLogin(loginId: string): Found | null;
  now(): Date;
  /** `YYYY-MM-DD`. */
  today(): string;
  /** What happens to this call. `traceparent` is the caller's, for who wants to know afterwards. */
  draw(upstream: SimulatedUpstream, operation: string, traceparent: unknown): Drawn;
  readonly state: State;
}

export interface Found {
  readonly resident: Resident;
  readonly world: string;
  /** The date in that world, `YYYY-MM-DD`. */
  readonly today: string;
  /** The date on which the resident's story began there. */
  readonly firstDay: string;
}

/** The worlds behind the simulators. Each comes into being by being named. */
export interface Worlds {
  at(name: string): World;
  faults(name: string): Faults;
  settings(name: string): Settings;
  /** Whether an upstream takes no connections in a world. */
  isRefusing(name: string, upstream: SimulatedUpstream): boolean;
  /** Does some work while nothing goes wrong in a world. Its settings are not touched: they apply again afterwards. */
  withoutFaults<Done>(name: string, work: () => Promise<Done>): Promise<Done>;
  /** From now on a world is like this. */
  change(name: string, settings: Settings): void;
  /** A world is as it was before anyone named it; or all are. */
  forget(name?: string): void;
  /** The clock of every world that has none of its own. */
  readonly common: Clock;
  /** Whether that one stands still. */
  readonly still: boolean;
  /** The clock that a world with a running clock is ahead of: that of all, or the real one where that of all stands still. */
  readonly running: Clock;
  /** The one clock that simulators and rules read. */
  readonly clock: Clock;
  /** Where time stands still the same deeds make the same ids; elsewhere nobody could tell. */
  readonly ids: Ids;
  readonly state: State;
}

export interface WorldsOptions {
  readonly directory: PeopleDirectory;
  /** The clock of every world that has none of its own. */
  readonly clock: Clock;
  readonly state: State;
  /** The clock of all stands still. */
  readonly still?: boolean;
  /** Ids are made again only in a world that was begun here: elsewhere may be what was named before they were counted. */
  readonly randomIds?: boolean;
  /** Told of every call to an upstream: what it was, and what happened to it. */
  readonly onCall?: (world: string, traceId: string, call: UpstreamCall) => void;
}

export interface UpstreamCall {
  readonly bron: SimulatedUpstream;
  readonly operation: string;
  readonly fault: string | null;
}

/** Residents kept ready, over all worlds; the one longest there makes room. */
const KEPT = 5_000;

const bySlug = new Map(
  PERSONAS.flatMap((persona) => (persona.kind === 'professional' ? [[persona.slug, persona.person]] : [])),
);

/**
 * Someone of whom nothing is remembered begins anew each day, so that "four months before the deadline" is true tomorrow as
 * well; whoever handed something in keeps the day on which they did, and who lives in a world whose clock was moved keeps the
 * day on which it was: there time passes.
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
  /** Worlds in which nothing goes wrong for now, and how many want that. */
  const faultless = new Map<string, number>();
  const running: Clock = still ? { now: () => new Date() } : common;
  const known = new Map<string, { readonly settings: Settings; readonly faults: Faults }>();

  function settled(name: string) {
    const there = known.get(name);
    if (there !== undefined) return there;
    const settings = state.settings(name) ?? UNCHANGED;
    const made = { settings, faults: createFaults(faultsOf(settings)) };
    known.set(name, made);
    return made;
  }

  const clock: Clock = {
    now(name) {
      const setting = settled(name).settings.clock;
      if (setting === null) return common.now(name);
      return new Date(setting.kind === 'frozen' ? setting.at : running.now(name).getTime() + setting.ahead);
    },
  };

  const ids: Ids = {
    next(name) {
      const setting = settled(name).settings.clock;
      const stands = setting === null ? still : setting.kind === 'frozen';
      return stands && (setting?.begun || !randomIds) ? uuidOf(`${name}/${state.nextId(name)}`) : RANDOM_IDS.next(name);
    },
  };

  function find(who: Inhabitant | null): Found | null {
    if (who === null) return null;
    const { slug, world } = who;
    const today = dateOf(clock.now(world));
    const firstDay = state.firstDay(loginOf(world, slug)) ?? settled(world).settings.clock?.firstDay ?? today;
    const key = `${slug}@${world}/${firstDay}`;
    const there = residents.get(key);
    if (there !== undefined) return { resident: there, world, today, firstDay };
    const person = bySlug.get(slug) ?? burger(slug);
    const caller = directory.professional(`${slug}@${world}`);
    if (person === null || caller === null) return null;
    const resident = settle(person, caller, firstDay);
    residents.set(key, resident);
    const [oldest] = residents.keys();
    if (residents.size > KEPT && oldest !== undefined) residents.delete(oldest);
    return { resident, world, today, firstDay };
  }

  function create(name: string): World {
    // Who calls over the network cannot say which world, and finds everybody in that of all.
    const here = (who: Inhabitant | null): Inhabitant | null =>
      name === DEFAULT_WORLD || who?.world === name ? who : null;
    return {
      name,
      byBsn: (bsn) => find(here(directory.byBsn(bsn))),
      byLogin: (loginId) => find(here(directory.byLogin(loginId))),
      now: () => clock.now(name),
      today: () => dateOf(clock.now(name)),
      draw(bron, operation, traceparent) {
        const drawn = faultless.has(name) ? NO_FAULT : settled(name).faults.draw(bron, operation);
        const fault = drawn.fault?.kind ?? (drawn.delay > 0 ? `latency ${drawn.delay} ms` : null);
        onCall?.(name, String(traceparent).slice(3, 35), { bron, operation, fault });
        return drawn;
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
    faults: (name) => settled(name).faults,
    settings: (name) => settled(name).settings,
    isRefusing: (name, upstream) => !faultless.has(name) && settled(name).faults.isRefusing(upstream),
    async withoutFaults(name, work) {
      faultless.set(name, (faultless.get(name) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (faultless.get(name) ?? 1) - 1;
        if (left === 0) faultless.delete(name);
        else faultless.set(name, left);
      }
    },
    change(name, settings) {
      state.keepSettings(name, settings);
      known.delete(name);
    },
    forget(name) {
      state.erase(name);
      if (name === undefined) {
        known.clear();
        worlds.clear();
        return;
      }
      known.delete(name);
      worlds.delete(name);
    },
    common,
    still,
    running,
    clock,
    ids,
    state,
  };
}

/** The faults of scenarios first, in the order in which they were switched on. */
const faultsOf = ({ scenarios, faults }: Settings): FaultOn[] => [
  ...scenarios.flatMap((scenario) =>
    (SCENARIOS[scenario as ScenarioName]?.faults ?? []).map((fault, index) => ({
      ...fault,
      id: `${scenario}-${index + 1}`,
      scenario,
    })),
  ),
  ...faults.map((fault) => ({ ...fault, scenario: null })),
];
