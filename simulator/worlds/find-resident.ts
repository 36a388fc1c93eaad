import { type Clock, dateOf } from '../../src/ports/clock.ts';
import { burger } from '../people/burger.ts';
import { type Inhabitant, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { type Resident, residentOf } from '../people/resident.ts';
import { residentOn } from '../people/resident-on-day.ts';
import type { ResidentInWorld } from './index.ts';
import type { WorldSettings } from './settings.ts';
import type { SimulatorState } from './state.ts';

/** Maximum number of residents (simulated persons) in the cache, of all worlds together. */
const MAX_RESIDENTS = 5_000;

interface FinderOptions {
  readonly directory: PeopleDirectory;
  readonly state: SimulatorState;
  readonly clock: Clock;
  readonly settingsOf: (world: string) => WorldSettings;
}

/**
 * Returns a function that returns the resident (simulated person) for an inhabitant; null when there is none. Dates in
 * the fixture of a person are relative to a first day: the one that is stored for that person, else `firstDay` in the
 * clock setting of the world, else today.
 */
export function createResidentFinder({
  directory,
  state,
  clock,
  settingsOf,
}: FinderOptions): (inhabitant: Inhabitant | null) => ResidentInWorld | null {
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
    // Also for a cached resident: `byBsn` finds a number only after this call, and a deleted world has lost its numbers.
    const caller = directory.professional(`${slug}@${world}`);
    if (caller === null) return null;
    // The file of a persona can change, and can appear or disappear.
    if (cached?.bsn === caller.bsn && (fixture === null || cached.person === fixture))
      return { resident: onDay(cached, today, firstDay), complete: cached, world, today, firstDay };
    const person = fixture ?? burger(slug, firstDay);
    if (person === null) return null;
    const resident = residentOf(person, caller, firstDay);
    residents.set(key, resident);
    const [oldest] = residents.keys();
    if (residents.size > MAX_RESIDENTS && oldest !== undefined) residents.delete(oldest);
    return { resident: onDay(resident, today, firstDay), complete: resident, world, today, firstDay };
  };
}

/**
 * Returns a function that returns a resident without the facts of later days (`residentOn`). It caches the last result
 * for each resident. Requests of later days are kept when the service knows them, so that the register and the service
 * have the same requests.
 */
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

/**
 * Returns true when the service has the requests in the fixture of a resident: in its store or, for a letter assignment,
 * as the case of a letter. An assignment stores the first day of a resident, as a submitted request does.
 */
const isKnownToService = (state: SimulatorState, login: string): boolean =>
  state.isSeeded(login) || (state.firstDay(login) !== null && state.zaken(login).length === 0);
