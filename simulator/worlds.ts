import type { Inhabitant, PeopleDirectory } from '../fixtures/directory.ts';
import { PERSONAS } from '../fixtures/personas/index.ts';
import { type Clock, dateOf } from '../src/ports/clock.ts';
import { burger } from './burger.ts';
import { type Resident, settle } from './resident.ts';

/** What a simulated upstream is asked with: who is it, and what day is it there. */
export interface Worlds {
  /** The resident with a burgerservicenummer, or null: the registers know nobody by it. */
  byBsn(bsn: string): Found | null;
  byLogin(loginId: string): Found | null;
}

export interface Found {
  readonly resident: Resident;
  /** The date in that world, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Residents kept ready, over all worlds; the one longest there makes room. */
const KEPT = 5_000;

const bySlug = new Map(
  PERSONAS.flatMap((persona) => (persona.kind === 'professional' ? [[persona.slug, persona.person]] : [])),
);

/**
 * The worlds behind the simulators. A world in which nothing was changed begins anew each day, so that "four months before
 * the deadline" is true tomorrow as well.
 */
export function createWorlds(directory: PeopleDirectory, clock: Clock): Worlds {
  const residents = new Map<string, Resident>();

  function find(who: Inhabitant | null): Found | null {
    if (who === null) return null;
    const today = dateOf(clock.now(who.world));
    const key = `${who.slug}@${who.world}/${today}`;
    const known = residents.get(key);
    if (known !== undefined) return { resident: known, today };
    const person = bySlug.get(who.slug) ?? burger(who.slug);
    const caller = directory.professional(`${who.slug}@${who.world}`);
    if (person === null || caller === null) return null;
    const resident = settle(person, caller, today);
    residents.set(key, resident);
    const [oldest] = residents.keys();
    if (residents.size > KEPT && oldest !== undefined) residents.delete(oldest);
    return { resident, today };
  }

  return {
    byBsn: (bsn) => find(directory.byBsn(bsn)),
    byLogin: (loginId) => find(directory.byLogin(loginId)),
  };
}
