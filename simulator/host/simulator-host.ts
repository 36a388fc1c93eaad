import { IncomingMessage } from 'node:http';
import type { Exchange } from '../../src/http/exchange.ts';

/** Starts the simulators and the control API. Imported only when at least one upstream is simulated. */

import type { DevelopmentParts } from '../../src/app.ts';
import type { Config } from '../../src/config/index.ts';
import type { Intercept } from '../../src/http/operation/run.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Composition } from '../../src/startup/development.ts';
import { SIM, START } from '../../src/startup/start-error.ts';
import type { ControlDeps } from '../control/deps.ts';
import { CONTROL_OPERATIONS } from '../control/index.ts';
import { diskFull } from '../control/refusals.ts';
import { openSnapshotStore } from '../control/snapshots.ts';
import { deleteUnusedWorlds } from '../control/worlds.ts';
import { startSimulators } from '../index.ts';
import { DEFAULT_WORLD, type PeopleDirectory } from '../people/directory.ts';
import { createServiceFaults } from '../service/intercept.ts';
import { storeDocumentIn } from '../upstreams/documenten/document-folder.ts';
import { faultText, type SimulatedUpstream } from '../worlds/faults.ts';
import type { Worlds } from '../worlds/index.ts';
import { createJournal } from '../worlds/journal.ts';
import { processesUsing } from '../worlds/running-processes.ts';
import { audienceOf } from './audience.ts';
import { controlPages } from './control.ts';
import { createUpstreamCalls, recordRequests } from './journal.ts';
import type { SimulatedLogin } from './login.ts';
import type { PersonaFiles } from './persona-files.ts';
import { createStoreArchive } from './store-archive.ts';
import { createWorldUpstreams, withUrls } from './world-upstreams.ts';

/** Minimum milliseconds between two updates of the stored time of last use of a world. */
const USE_INTERVAL = 60_000;
/** Milliseconds between two deletions of unused worlds. */
const CLEANUP_INTERVAL = 10 * 60_000;

export interface SimulatorHost
  extends Pick<Composition, 'config' | 'clock' | 'ids' | 'upstreams' | 'seedStores' | 'closeStreams' | 'close'> {
  /** Middleware for `/_simulator` (control API and pages); null when nothing is simulated. */
  readonly pages: ReturnType<typeof controlPages>['middleware'] | null;
  /** Middleware that records requests in the journal; null when nothing is simulated. */
  readonly watch: DevelopmentParts['watch'] | null;
  /** Middleware for the simulated faults of the service itself; null when nothing is simulated. */
  readonly intercept: Intercept | null;
  readonly notes: readonly string[];
  /** Records that a world was used. A world that is not used for a day is deleted. */
  recordUse(world: string): void;
}

interface HostPeople {
  readonly directory: PeopleDirectory;
  readonly files: PersonaFiles;
  /** The simulated token issuers; null with another kind of identification. */
  readonly login: Pick<SimulatedLogin, 'issueToken'> | null;
}

/** `baseClock` is the time in a world whose clock was not changed. */
export async function createSimulatorHost(
  names: readonly SimulatedUpstream[],
  config: Config,
  { directory, files, login }: HostPeople,
  baseClock: Clock,
): Promise<SimulatorHost> {
  const calls = createUpstreamCalls();
  const journal = createJournal();
  const { dataDir } = config;
  const audience = audienceOf(config, CONTROL_OPERATIONS);
  const isClockFrozen = config.simulatorToday !== undefined;
  const simulators = await startSimulators(names, {
    directory,
    clock: baseClock,
    transport: config.simulatorTransport,
    port: 0,
    dataDir,
    isClockFrozen,
    // Rows in PostgreSQL remain when this folder, which has the counter for ids, is deleted: counted ids would repeat.
    randomIds: config.store.kind === 'postgres',
    onCall: calls.onCall,
  });
  const { worlds, documentFolder } = simulators;
  const upstreams = createWorldUpstreams(config, simulators);
  const service = createServiceFaults({ worlds, receiveHalf });
  const used = new Map<string, number>();
  let pages: ReturnType<typeof controlPages> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function recordUse(world: string): void {
    const now = Date.now();
    if (now - (used.get(world) ?? 0) < USE_INTERVAL) return;
    used.set(world, now);
    try {
      worlds.state.recordUse(world, now);
    } catch (error) {
      if (diskFull(error) === null) throw error;
      // A full disk must not fail a request that writes nothing. The next one after the interval tries again.
    }
  }

  return {
    config: withUrls(config, simulators.urls),
    notes: [
      ...processesUsing(dataDir).map(
        (pid) =>
          `process ${pid} works in ${dataDir} too. Clocks, faults and journals are not shared. To separate the data: DATA_DIR=.data2 ${START}`,
      ),
      ...keptNotes(worlds),
      ...documentFolder.unreadable.map((file) => `${file} is an incomplete document and is ignored`),
    ],
    clock: worlds.clock,
    ids: worlds.ids,
    upstreams,
    recordUse,
    seedStores(store) {
      const seeded = simulators.seeded(store);
      const deps: ControlDeps = {
        worlds,
        directory,
        personaFiles: files,
        issueToken: login?.issueToken ?? null,
        simulated: names,
        service: service.catalogue,
        documentFolder,
        storeDocument: storeDocumentIn(documentFolder),
        stores: { ...seeded.stores, brieven: store.brieven },
        seeded,
        archive: createStoreArchive(store.db),
        dataDir: config.dataDir,
        audience,
        renewConnections: upstreams.renewConnections,
        journal,
        snapshots: openSnapshotStore(config.dataDir),
        async releaseWorld(world) {
          used.delete(world);
          await audience.onDemand?.close(world);
          directory.forget(world);
          await simulators.closeWorld(world);
        },
      };
      pages = controlPages(CONTROL_OPERATIONS, deps, recordUse, audience.isAlways);
      const cleanUp = () => deleteUnusedWorlds(deps, Date.now()).catch(() => undefined);
      cleanUp();
      timer = setInterval(cleanUp, CLEANUP_INTERVAL);
      timer.unref();
      return seeded.stores;
    },
    pages: (ctx, next) => (pages === undefined ? next().then(() => undefined) : pages.middleware(ctx, next)),
    watch: recordRequests(journal, {
      simulated: names,
      now: (world) => worlds.clock.now(world),
      takeDetails: calls.take,
      isRefusing: (world, bron) => names.some((name) => name === bron && worlds.isRefusing(world, name)),
    }),
    intercept: service.intercept,
    closeStreams() {
      audience.close();
      pages?.close();
    },
    async close() {
      clearInterval(timer);
      await simulators.close();
    },
  };
}

function keptNotes(worlds: Worlds): string[] {
  const { clock, scenarios, faults } = worlds.settings(DEFAULT_WORLD);
  const wrong = [...scenarios, ...faults.map(faultText)];
  return [
    ...(wrong.length > 0 ? [`faults that are still on: ${wrong.join('; ')}. To turn them off: ${SIM} fault off`] : []),
    ...(clock === null
      ? []
      : [`the clock is still at ${worlds.at(DEFAULT_WORLD).today()}. To go back: ${SIM} clock real`]),
  ];
}

/** As counted by its `Content-Length`; without that header, until its first bytes arrive. What was read is lost. */
async function receiveHalf({ req }: Pick<Exchange, 'req'>): Promise<void> {
  if (!(req instanceof IncomingMessage)) return;
  const half = Number(req.headers['content-length'] ?? 0) / 2;
  let received = 0;
  try {
    // `destroyOnReturn` would take the socket away from the request (`req.socket` is then null).
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += (chunk as Buffer).length;
      if (received >= half) return;
    }
  } catch {
    // The client has closed the connection before the fault did.
  }
}
