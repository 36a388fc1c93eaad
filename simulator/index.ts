import type { Clock } from '../src/ports/clock.ts';
import type { Store } from '../src/ports/store.ts';
import type { PeopleDirectory } from './people/directory.ts';
import { handlersOf } from './transport/handlers.ts';
import { type Listener, listen, pathOf, receiveJson } from './transport/listener.ts';
import { brpOperations } from './upstreams/brp/index.ts';
import { documentenOperations } from './upstreams/documenten/index.ts';
import { receiveInto } from './upstreams/documenten/receive.ts';
import { eraseShelf, openShelf, type Shelf } from './upstreams/documenten/shelf.ts';
import { shelveOn } from './upstreams/documenten/shelve.ts';
import { BASE } from './upstreams/documenten/wire.ts';
import { duoOperations } from './upstreams/duo.ts';
import { registerOperations } from './upstreams/register/index.ts';
import { listenAsClamd } from './upstreams/scanner/index.ts';
import { type SimulatedUpstream, UPSTREAMS } from './worlds/faults.ts';
import { createWorlds, type Worlds, type WorldsOptions } from './worlds/index.ts';
import { occupy, othersIn } from './worlds/occupancy.ts';
import { type Seeded, seededStores } from './worlds/seeded-stores.ts';
import { openState } from './worlds/state-sqlite.ts';

interface Stage {
  readonly worlds: Worlds;
  readonly shelf: Shelf;
}

/** Each simulated upstream that speaks HTTP: how it listens, and the path under which the real one is served. */
const SERVED = {
  register: {
    path: '',
    listen: ({ worlds }, port) =>
      listen(
        {
          upstream: 'register',
          worlds,
          handlers: (world) => handlersOf(registerOperations, world),
          receive: receiveJson,
        },
        port,
      ),
  },
  brp: {
    path: '/haalcentraal/api/brp/personen',
    listen: ({ worlds }, port) =>
      listen(
        { upstream: 'brp', worlds, handlers: (world) => handlersOf(brpOperations, world), receive: receiveJson },
        port,
      ),
  },
  duo: {
    path: '',
    listen: ({ worlds }, port) =>
      listen(
        { upstream: 'duo', worlds, handlers: (world) => handlersOf(duoOperations, world), receive: receiveJson },
        port,
      ),
  },
  documenten: {
    path: BASE,
    listen: ({ worlds, shelf }, port) =>
      listen(
        {
          upstream: 'documenten',
          worlds,
          handlers: (world) => handlersOf(documentenOperations, { world, shelf }),
          receive: receiveInto(shelf.folder),
        },
        port,
      ),
  },
} as const satisfies Record<string, { path: string; listen: (stage: Stage, port: number) => Promise<Listener> }>;

export { DOCUMENTS_ACCESS } from './upstreams/documenten/access.ts';
export type { SimulatedUpstream } from './worlds/faults.ts';
export { othersIn } from './worlds/occupancy.ts';

/** In the order of their ports. */
export const SIMULATED = UPSTREAMS;

export type Urls = Readonly<Partial<Record<SimulatedUpstream, string>>>;

export interface Simulators {
  /** The URL of each upstream, as its variable would have it. */
  readonly urls: Urls;
  /** The same for one world, which has its own way to each. */
  urlsIn(world: string): Promise<Urls>;
  readonly worlds: Worlds;
  readonly shelf: Shelf;
  /** The same stores, in which people have what they had before their world began. */
  seeded(stores: Pick<Store, 'applications' | 'uploads'>): Seeded;
  /** Lets go of what only one world has. */
  leave(world: string): Promise<void>;
  close(): Promise<void>;
}

export interface SimulatorOptions extends Pick<WorldsOptions, 'onCall' | 'still' | 'randomIds'> {
  readonly directory: PeopleDirectory;
  readonly clock: Clock;
  /** The first of consecutive ports; 0 for free ones. */
  readonly port: number;
  /** Where register and documents remember what was handed in; `:memory:` for nowhere. */
  readonly dataDir: string;
}

/** Nothing listens there: whoever calls is refused by the machine itself. */
const REFUSED = 1;

/** Serves the named upstreams on loopback, each world's under a path of its own. */
export async function startSimulators(
  names: readonly SimulatedUpstream[],
  { directory, clock, port, dataDir, still = false, randomIds = false, onCall }: SimulatorOptions,
): Promise<Simulators> {
  const vacate = occupy(dataDir);
  const state = await openState(dataDir);
  const worlds = createWorlds({ directory, clock, state, still, randomIds, ...(onCall && { onCall }) });
  const stage = { worlds, shelf: openShelf(dataDir, othersIn(dataDir).length > 0) };
  const listeners = new Map<SimulatedUpstream, Listener>();
  /** The scanner speaks no HTTP, so each world has one of its own. */
  const scanners = new Map<string, Promise<Listener>>();
  const scannerOf = (world: string, at = 0): Promise<Listener> => {
    const known =
      scanners.get(world) ?? listenAsClamd(at, () => worlds.at(world).draw('scanner', 'scannen', undefined));
    scanners.set(world, known);
    return known;
  };
  await Promise.all(
    names.map(async (name, index) => {
      const at = port === 0 ? 0 : port + index;
      listeners.set(name, await (name === 'scanner' ? scannerOf('default', at) : SERVED[name].listen(stage, at)));
    }),
  );

  async function urlsIn(world: string): Promise<Urls> {
    const entries = names.map(async (name): Promise<[SimulatedUpstream, string]> => {
      if (worlds.isRefusing(world, name))
        return [name, name === 'scanner' ? `clamd://127.0.0.1:${REFUSED}` : `http://127.0.0.1:${REFUSED}/`];
      if (name === 'scanner') return [name, (await scannerOf(world)).url];
      return [name, `${listeners.get(name)?.url}${pathOf(world)}${SERVED[name].path}`];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  return {
    urls: Object.fromEntries(
      [...listeners].map(([name, { url }]) => [name, url + (name === 'scanner' ? '' : SERVED[name].path)]),
    ),
    urlsIn,
    worlds,
    shelf: stage.shelf,
    seeded: (stores) =>
      seededStores(stores, worlds, {
        register: names.includes('register'),
        shelve: names.includes('documenten') ? shelveOn(stage.shelf) : null,
      }),
    async leave(world) {
      const scanner = scanners.get(world);
      if (world === 'default' || scanner === undefined) return;
      scanners.delete(world);
      await (await scanner).close();
    },
    close: async () => {
      const others = [...scanners].flatMap(([world, scanner]) => (world === 'default' ? [] : [scanner]));
      await Promise.all([...listeners.values(), ...(await Promise.all(others))].map((listener) => listener.close()));
      state.close();
      stage.shelf.close();
      vacate();
    },
  };
}

/** Forgets what everybody handed in. */
export async function eraseSimulated(dataDir: string): Promise<void> {
  const state = await openState(dataDir);
  state.erase();
  state.close();
  eraseShelf(dataDir);
}

/** What the simulated register delivered, as its readers have it. */
export async function deliveredLetters(dataDir: string): Promise<string> {
  const state = await openState(dataDir);
  const letters = state
    .verzendingen()
    .map(
      ({ world, referentie, kanaal, verzondenOp, tekst }) =>
        `--- ${referentie}, ${kanaal}, ${verzondenOp}${world === 'default' ? '' : `, world ${world}`}\n\n${tekst}\n\n`,
    );
  state.close();
  return letters.join('') || 'No letter has been sent yet.\n';
}
