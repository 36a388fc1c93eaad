import { type Inhabitant, loginOf, type PeopleDirectory } from '../fixtures/directory.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';
import { type Clock, dateOf } from '../src/ports/clock.ts';
import { burger } from './burger.ts';
import { type Resident, settle } from './resident.ts';
import type { State } from './state.ts';

/** What a simulated upstream is asked with: who is it, and what day is it there. */
export interface Worlds {
  /** The resident with a burgerservicenummer, or null: the registers know nobody by it. */
  byBsn(bsn: string): Found | null;
  byLogin(loginId: string): Found | null;
  /** The date in the default world, for those who live in none. */
  today(): string;
  readonly state: State;
}

export interface Found {
  readonly resident: Resident;
  readonly world: string;
  /** The date in that world, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Residents kept ready, over all worlds; the one longest there makes room. */
const KEPT = 5_000;

const bySlug = new Map(
  PERSONAS.flatMap((persona) => (persona.kind === 'professional' ? [[persona.slug, persona.person]] : [])),
);

/**
 * The worlds behind the simulators. Someone of whom nothing is remembered begins anew each day, so that "four months before
 * the deadline" is true tomorrow as well; whoever handed something in keeps the day on which they did.
 */
export function createWorlds(directory: PeopleDirectory, clock: Clock, state: State): Worlds {
  const residents = new Map<string, Resident>();

  function find(who: Inhabitant | null): Found | null {
    if (who === null) return null;
    const { slug, world } = who;
    const today = dateOf(clock.now(world));
    const firstDay = state.firstDay(loginOf(world, slug)) ?? today;
    const key = `${slug}@${world}/${firstDay}`;
    const known = residents.get(key);
    if (known !== undefined) return { resident: known, world, today };
    const person = bySlug.get(slug) ?? burger(slug);
    const caller = directory.professional(`${slug}@${world}`);
    if (person === null || caller === null) return null;
    const resident = settle(person, caller, firstDay);
    residents.set(key, resident);
    const [oldest] = residents.keys();
    if (residents.size > KEPT && oldest !== undefined) residents.delete(oldest);
    return { resident, world, today };
  }

  return {
    byBsn: (bsn) => find(directory.byBsn(bsn)),
    byLogin: (loginId) => find(directory.byLogin(loginId)),
    today: () => dateOf(clock.now('default')),
    state,
  };
}
