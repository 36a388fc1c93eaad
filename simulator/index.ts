import type { Clock } from '../src/ports/clock.ts';
import type { Store } from '../src/ports/store.ts';
import type { PeopleDirectory } from './people/directory.ts';
import { handlersOf } from './transport/handlers.ts';
import { type Listener, listen, pathOf, receiveJson } from './transport/listener.ts';
import { brpOperations } from './upstreams/brp/index.ts';
import {
  type DocumentFolder,
  eraseDocumentFolder,
  openDocumentFolder,
} from './upstreams/documenten/document-folder.ts';
import { documentenOperations } from './upstreams/documenten/index.ts';
import { receiveInto } from './upstreams/documenten/receive.ts';
import { storeDocumentIn } from './upstreams/documenten/store-seed-document.ts';
import { BASE } from './upstreams/documenten/wire.ts';
import { duoOperations } from './upstreams/duo.ts';
import { registerOperations } from './upstreams/register/index.ts';
import { listenAsClamd } from './upstreams/scanner/index.ts';
import { type SimulatedUpstream, UPSTREAMS } from './worlds/faults.ts';
import { createWorlds, type Worlds, type WorldsOptions } from './worlds/index.ts';
import { processesUsing, registerProcess } from './worlds/running-processes.ts';
import { type SeededStores, seededStores } from './worlds/seeded-stores.ts';
import { openState } from './worlds/state-sqlite.ts';

/** What the HTTP upstreams need to serve their operations. */
interface ListenerContext {
  readonly worlds: Worlds;
  readonly shelf: DocumentFolder;
}

/** The simulated upstreams that speak HTTP: how to start each one, and the path under which the real one is served. */
const HTTP_UPSTREAMS = {
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
} as const satisfies Record<
  string,
  { path: string; listen: (context: ListenerContext, port: number) => Promise<Listener> }
>;

export { DOCUMENTS_ACCESS } from './upstreams/documenten/access.ts';
export type { SimulatedUpstream } from './worlds/faults.ts';
export { processesUsing } from './worlds/running-processes.ts';

/** Names of the simulated upstreams, in the order of their ports. */
export const SIMULATED_UPSTREAMS = UPSTREAMS;

/** URLs of the simulated upstreams that are running, by name. */
export type UpstreamUrls = Readonly<Partial<Record<SimulatedUpstream, string>>>;

/** The running simulators. */
export interface Simulators {
  /** URL of each upstream in the default world, as the configuration variable of the upstream expects it. */
  readonly urls: UpstreamUrls;
  /**
   * Returns the URLs of the upstreams in one world. An upstream that refuses connections gets the URL of a closed port.
   */
  urlsIn(world: string): Promise<UpstreamUrls>;
  readonly worlds: Worlds;
  readonly documentFolder: DocumentFolder;
  /** Returns stores that wrap these and hold the seed data of the simulated persons. */
  seeded(stores: Pick<Store, 'applications' | 'uploads'>): SeededStores;
  /** Closes the listeners that serve only this world. */
  closeWorld(world: string): Promise<void>;
  close(): Promise<void>;
}

/** Options of `startSimulators`. */
export interface SimulatorOptions extends Pick<WorldsOptions, 'onCall' | 'still' | 'randomIds'> {
  readonly directory: PeopleDirectory;
  readonly clock: Clock;
  /** First of the consecutive ports; 0: any free ports. */
  readonly port: number;
  /**
   * Folder for what was submitted to the register and the document store; `:memory:`: nothing is kept after `close`.
   */
  readonly dataDir: string;
}

/** A port on which nothing listens, so that the operating system refuses connections to it. */
const CLOSED_PORT = 1;

/** Starts the named upstreams on loopback. Each world has a path of its own; the default world has no prefix. */
export async function startSimulators(
  names: readonly SimulatedUpstream[],
  { directory, clock, port, dataDir, still = false, randomIds = false, onCall }: SimulatorOptions,
): Promise<Simulators> {
  const unregisterProcess = registerProcess(dataDir);
  const state = await openState(dataDir);
  const worlds = createWorlds({ directory, clock, state, still, randomIds, ...(onCall && { onCall }) });
  const context = { worlds, shelf: openDocumentFolder(dataDir, processesUsing(dataDir).length > 0) };
  const listeners = new Map<SimulatedUpstream, Listener>();
  /**
   * The virus scanner by world. It does not speak HTTP, so a world cannot be part of a path: each world has a listener.
   */
  const scanners = new Map<string, Promise<Listener>>();
  /** Returns the scanner of a world; starts it at the first call. */
  const scannerOf = (world: string, at = 0): Promise<Listener> => {
    const scanner =
      scanners.get(world) ?? listenAsClamd(at, () => worlds.at(world).draw('scanner', 'scannen', undefined));
    scanners.set(world, scanner);
    return scanner;
  };
  await Promise.all(
    names.map(async (name, index) => {
      const at = port === 0 ? 0 : port + index;
      listeners.set(
        name,
        await (name === 'scanner' ? scannerOf('default', at) : HTTP_UPSTREAMS[name].listen(context, at)),
      );
    }),
  );

  async function urlsIn(world: string): Promise<UpstreamUrls> {
    const entries = names.map(async (name): Promise<[SimulatedUpstream, string]> => {
      if (worlds.isRefusing(world, name))
        return [name, name === 'scanner' ? `clamd://127.0.0.1:${CLOSED_PORT}` : `http://127.0.0.1:${CLOSED_PORT}/`];
      if (name === 'scanner') return [name, (await scannerOf(world)).url];
      return [name, `${listeners.get(name)?.url}${pathOf(world)}${HTTP_UPSTREAMS[name].path}`];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  return {
    urls: Object.fromEntries(
      [...listeners].map(([name, { url }]) => [name, url + (name === 'scanner' ? '' : HTTP_UPSTREAMS[name].path)]),
    ),
    urlsIn,
    worlds,
    documentFolder: context.shelf,
    seeded: (stores) =>
      seededStores(stores, worlds, {
        register: names.includes('register'),
        shelve: names.includes('documenten') ? storeDocumentIn(context.shelf) : null,
      }),
    async closeWorld(world) {
      const scanner = scanners.get(world);
      if (world === 'default' || scanner === undefined) return;
      scanners.delete(world);
      await (await scanner).close();
    },
    close: async () => {
      const others = [...scanners].flatMap(([world, scanner]) => (world === 'default' ? [] : [scanner]));
      await Promise.all([...listeners.values(), ...(await Promise.all(others))].map((listener) => listener.close()));
      state.close();
      context.shelf.close();
      unregisterProcess();
    },
  };
}

/** Deletes everything that was submitted to the simulators in all worlds. */
export async function eraseSimulated(dataDir: string): Promise<void> {
  const state = await openState(dataDir);
  state.erase();
  state.close();
  eraseDocumentFolder(dataDir);
}

/** Returns all letters that the simulated register delivered, as plain text; a sentence when there are none. */
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
