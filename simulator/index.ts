import type { PeopleDirectory } from '../fixtures/directory.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Store } from '../src/ports/store.ts';
import { brpHandlers } from './brp.ts';
import { documentenHandlers } from './documenten/index.ts';
import { receiveInto } from './documenten/receive.ts';
import { eraseShelf, openShelf, type Shelf } from './documenten/shelf.ts';
import { BASE } from './documenten/wire.ts';
import { duoHandlers } from './duo.ts';
import { type Listener, listen } from './listener.ts';
import { registerHandlers } from './register.ts';
import { listenAsClamd } from './scanner.ts';
import { seededStores } from './seeded-stores.ts';
import { openState } from './state.ts';
import { createWorlds, type Worlds } from './worlds.ts';

interface Stage {
  readonly worlds: Worlds;
  readonly shelf: Shelf;
}

/** Each simulated upstream: how it listens, and the path under which the real one is served. */
const UPSTREAMS = {
  register: { listen: ({ worlds }, port) => listen(registerHandlers(worlds), port), path: '' },
  brp: { listen: ({ worlds }, port) => listen(brpHandlers(worlds), port), path: '/haalcentraal/api/brp/personen' },
  duo: { listen: ({ worlds }, port) => listen(duoHandlers(worlds), port), path: '' },
  documenten: {
    listen: ({ shelf }, port) => listen(documentenHandlers(shelf), port, receiveInto(shelf.folder)),
    path: BASE,
  },
  scanner: { listen: (_, port) => listenAsClamd(port), path: '' },
} as const satisfies Record<string, { listen: (stage: Stage, port: number) => Promise<Listener>; path: string }>;

export { DOCUMENTS_ACCESS } from './documenten/access.ts';

export type SimulatedUpstream = keyof typeof UPSTREAMS;

/** In the order of their ports. */
export const SIMULATED = Object.keys(UPSTREAMS) as SimulatedUpstream[];

export interface Simulators {
  /** The URL of each upstream, as its variable would have it. */
  readonly urls: Readonly<Partial<Record<SimulatedUpstream, string>>>;
  /** The same stores, in which people have what they had before their world began. */
  seeded(stores: Pick<Store, 'applications' | 'uploads'>): Pick<Store, 'applications' | 'uploads'>;
  close(): Promise<void>;
}

export interface SimulatorOptions {
  readonly directory: PeopleDirectory;
  readonly clock: Clock;
  /** The first of consecutive ports; 0 for free ones. */
  readonly port: number;
  /** Where register and documents remember what was handed in; `:memory:` for nowhere. */
  readonly dataDir: string;
}

/** Serves the named upstreams on loopback, all from the same worlds. */
export async function startSimulators(
  names: readonly SimulatedUpstream[],
  { directory, clock, port, dataDir }: SimulatorOptions,
): Promise<Simulators> {
  const state = openState(dataDir);
  const stage = { worlds: createWorlds(directory, clock, state), shelf: openShelf(dataDir) };
  const listeners = await Promise.all(
    names.map(
      async (name, index): Promise<[SimulatedUpstream, Listener]> => [
        name,
        await UPSTREAMS[name].listen(stage, port === 0 ? 0 : port + index),
      ],
    ),
  );
  return {
    urls: Object.fromEntries(listeners.map(([name, { url }]) => [name, url + UPSTREAMS[name].path])),
    seeded: (stores) =>
      seededStores(stores, stage.worlds, {
        register: names.includes('register'),
        shelf: names.includes('documenten') ? stage.shelf : null,
      }),
    close: async () => {
      await Promise.all(listeners.map(([, listener]) => listener.close()));
      state.close();
      stage.shelf.close();
    },
  };
}

/** Forgets what everybody handed in. */
export function eraseSimulated(dataDir: string): void {
  const state = openState(dataDir);
  state.erase();
  state.close();
  eraseShelf(dataDir);
}

/** What the simulated register delivered, as its readers have it. */
export function deliveredLetters(dataDir: string): string {
  const state = openState(dataDir);
  const letters = state
    .verzendingen()
    .map(
      ({ referentie, kanaal, verzondenOp, tekst }) => `--- ${referentie}, ${kanaal}, ${verzondenOp}\n\n${tekst}\n\n`,
    );
  state.close();
  return letters.join('') || 'No letter has been sent yet.\n';
}
