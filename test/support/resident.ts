import { createDirectory } from '../../simulator/people/directory.ts';
import { createWorlds } from '../../simulator/worlds/index.ts';
import { DEFAULT_SETTINGS } from '../../simulator/worlds/settings.ts';
import type { SimulatorState } from '../../simulator/worlds/state.ts';
import { createMemoryState } from '../../simulator/worlds/state-memory.ts';
import { frozenClock, TODAY } from './service.ts';

/** Returns a person in the default world on a day, in memory; the world began on `TODAY`. */
export function personOn(slug: string, day: string) {
  const state = createMemoryState(DEFAULT_SETTINGS);
  state.setFirstDayOnce(slug, TODAY);
  const world = createWorlds({ directory: createDirectory(), clock: frozenClock(day), state }).at('default');
  const found = world.byLogin(slug);
  if (found === null) throw new Error(`no ${slug}`);
  return { state, world, found };
}

/** Stores a request with manual review in the default world, and returns its reference. */
export const addRequest = (
  state: SimulatorState,
  resident: string,
  soort: string,
  ontvangenOp: string,
  gegevens: Readonly<Record<string, unknown>> = {},
  sleutel = 'k',
): string => {
  const request = { resident, soort, ontvangenOp, gegevens, sleutel, kenmerk: null, handmatig: true };
  return state.addZaak({ ...request, world: 'default', prefix: soort.slice(0, 3).toUpperCase() }).zaak.referentie;
};
