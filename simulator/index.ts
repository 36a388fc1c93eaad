import type { Clock } from '../src/ports/clock.ts';
import type { Store } from '../src/ports/store/store.ts';
import { DEFAULT_WORLD, type PeopleDirectory } from './people/directory.ts';
import { createDispatch, type DispatchOptions } from './transport/dispatch.ts';
import { InProcessPool, type PoolOptions } from './transport/in-process.ts';
import type { Listener } from './transport/listener.ts';
import type { SimulatedOperation } from './transport/operation.ts';
import { type Respond, responder } from './transport/respond.ts';
import { brpFailure } from './upstreams/brp/failures.ts';
import { brpOperations } from './upstreams/brp/index.ts';
import {
  type DocumentFolder,
  eraseDocumentFolder,
  openDocumentFolder,
  storeDocumentIn,
} from './upstreams/documenten/document-folder.ts';
import { BASE, documentenOperations } from './upstreams/documenten/index.ts';
import { receiveInto } from './upstreams/documenten/receive.ts';
import { duoOperations } from './upstreams/duo.ts';
import { registerOperations } from './upstreams/register/index.ts';
import { createScanners } from './upstreams/scanner/index.ts';
import type { SimulatedUpstream } from './worlds/faults.ts';
import type { World, Worlds, WorldsOptions } from './worlds/index.ts';
import { createWorlds } from './worlds/index.ts';
import { processesUsing, registerProcess } from './worlds/running-processes.ts';
import { type SeededStores, seededStores } from './worlds/seeded-stores.ts';
import { openState } from './worlds/state-sqlite.ts';

type HttpUpstream = Exclude<SimulatedUpstream, 'scanner'>;

/** The real upstreams have the same paths. */
const PATHS: Readonly<Record<HttpUpstream, string>> = {
  register: '',
  brp: '/haalcentraal/api/brp/personen',
  duo: '',
  documenten: BASE,
};

function respondersOf(worlds: Worlds, documentFolder: DocumentFolder): Readonly<Record<HttpUpstream, Respond>> {
  const worldAt = worlds.at;
  const targetOf = (world: World) => world;
  const json = (
    upstream: HttpUpstream,
    operations: readonly SimulatedOperation<World>[],
    more?: Pick<DispatchOptions<World>, 'failure'>,
  ) => responder(createDispatch({ upstream, operations, worldAt, targetOf, ...more }));
  const documents = createDispatch({
    upstream: 'documenten',
    operations: documentenOperations,
    worldAt,
    targetOf: (world) => ({ world, documentFolder }),
  });
  return {
    register: json('register', registerOperations),
    brp: json('brp', brpOperations, { failure: brpFailure }),
    duo: json('duo', duoOperations),
    documenten: responder(documents, receiveInto(documentFolder.folder)),
  };
}

export type UpstreamUrls = Readonly<Partial<Record<SimulatedUpstream, string>>>;

export interface WorldAccess {
  /** A refusing upstream has a closed port (only over sockets). For the virus scanner, use `scannerIn`. */
  readonly urls: UpstreamUrls;
  /** For connections within this process. Empty when the upstreams are called over sockets. */
  readonly pools: Readonly<Partial<Record<HttpUpstream, (origin: string, options: PoolOptions) => InProcessPool>>>;
}

/** The simulated upstreams, after they have started. Their data are stored per world. */
export interface Simulators {
  /** In the default world, in the form of the environment variable that names a real upstream. */
  readonly urls: UpstreamUrls;
  /** Call it again after the faults of the world have changed. */
  accessIn(world: string): WorldAccess;
  /** Starts the scanner if it does not run. While a fault refuses connections: the URL of a closed port. */
  scannerIn(world: string): Promise<string>;
  readonly worlds: Worlds;
  readonly documentFolder: DocumentFolder;
  /** The seed data are written to the given stores of the service. */
  seeded(stores: Pick<Store, 'applications' | 'uploads'>): SeededStores;
  /** Does nothing for the default world. */
  closeWorld(world: string): Promise<void>;
  close(): Promise<void>;
}

export interface SimulatorOptions extends Pick<WorldsOptions, 'onCall' | 'isClockFrozen' | 'randomIds'> {
  readonly directory: PeopleDirectory;
  readonly clock: Clock;
  /** `in-process` only for calls of this process. The virus scanner always has a socket (default `loopback`). */
  readonly transport?: 'loopback' | 'in-process';
  /** TCP port of the first upstream; each next upstream has the next port. With 0, each upstream gets a free port. */
  readonly port: number;
  /** Folder for the stored data of all worlds. With `:memory:`, the data are lost at `close`. */
  readonly dataDir: string;
}

/** A port on which no server is expected to listen, so that connections to it are refused. */
const CLOSED_PORT = 1;

/**
 * Starts the simulated upstreams with these names. A request whose path begins with `/@<world>` is handled in that
 * world, any other request in the default world. Rejects when a port is in use or the stored data cannot be opened.
 */
export async function startSimulators(
  names: readonly SimulatedUpstream[],
  options: SimulatorOptions,
): Promise<Simulators> {
  const { port, dataDir, transport = 'loopback', ...forWorlds } = options;
  const unregisterProcess = registerProcess(dataDir);
  const state = await openState(dataDir);
  const worlds = createWorlds({ ...forWorlds, state });
  const documentFolder = openDocumentFolder(dataDir, processesUsing(dataDir).length > 0);
  const responders = respondersOf(worlds, documentFolder);
  const scanners = createScanners(worlds);
  const httpNames = names.filter((name) => name !== 'scanner');
  const portOf = (name: SimulatedUpstream): number => (port === 0 ? 0 : port + names.indexOf(name));
  const listeners = new Map<HttpUpstream, Listener>();
  if (transport === 'loopback') {
    // This module is imported here, because it loads MSW.
    const { listen } = await import('./transport/listener.ts');
    const listenOn = async (name: HttpUpstream): Promise<unknown> =>
      listeners.set(
        name,
        await listen({ worlds, respond: responders[name], hasFiles: name === 'documenten' }, portOf(name)),
      );
    await Promise.all(httpNames.map(listenOn));
  }
  const originOf = (name: HttpUpstream): string => listeners.get(name)?.url ?? `http://${name}.in-process`;
  const urls: Partial<Record<SimulatedUpstream, string>> = Object.fromEntries(
    httpNames.map((name) => [name, originOf(name) + PATHS[name]]),
  );
  if (names.includes('scanner')) urls.scanner = await scanners.urlIn(DEFAULT_WORLD, portOf('scanner'));

  function accessIn(world: string): WorldAccess {
    if (transport === 'in-process') {
      const pools = httpNames.map((upstream) => [
        upstream,
        (_: string, limits: PoolOptions) =>
          new InProcessPool({ upstream, worlds, world, respond: responders[upstream] }, limits),
      ]);
      return { urls, pools: Object.fromEntries(pools) };
    }
    const prefix = world === DEFAULT_WORLD ? '' : `/@${world}`;
    const entries = httpNames.map((name) => [
      name,
      worlds.isRefusing(world, name) ? `http://127.0.0.1:${CLOSED_PORT}/` : `${originOf(name)}${prefix}${PATHS[name]}`,
    ]);
    return { urls: Object.fromEntries(entries), pools: {} };
  }

  return {
    urls,
    accessIn,
    scannerIn: async (world) =>
      worlds.isRefusing(world, 'scanner') ? `clamd://127.0.0.1:${CLOSED_PORT}` : scanners.urlIn(world),
    worlds,
    documentFolder,
    seeded: (stores) =>
      seededStores(stores, worlds, {
        register: names.includes('register'),
        storeDocument: names.includes('documenten') ? storeDocumentIn(documentFolder) : null,
      }),
    closeWorld: scanners.closeIn,
    close: async () => {
      await Promise.all([scanners.close(), ...[...listeners.values()].map((listener) => listener.close())]);
      state.close();
      documentFolder.close();
      unregisterProcess();
    },
  };
}

/** The state and settings of all worlds, and all documents. */
export async function eraseSimulated(dataDir: string): Promise<void> {
  const state = await openState(dataDir);
  state.erase();
  state.close();
  eraseDocumentFolder(dataDir);
}

/** Returns the letters of all worlds, as one text to print, which says so when there are none. */
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
