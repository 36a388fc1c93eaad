/** What is simulated, and what there is to control it by. Loaded when something is. */

import { archiveOf } from '../../adapters/store/archive.ts';
import type { DevelopmentParts } from '../../src/app.ts';
import type { Config } from '../../src/config/index.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Composition } from '../../src/startup/development.ts';
import { START } from '../../src/startup/how-to-run.ts';
import type { ControlDeps } from '../control/deps.ts';
import { controlOperations } from '../control/index.ts';
import { journalOperations } from '../control/journal.ts';
import { deleteUnusedWorlds } from '../control/worlds.ts';
import { othersIn, type SimulatedUpstream, startSimulators } from '../index.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { createJournal } from '../worlds/journal.ts';
import { addressed } from './addressed.ts';
import { type ControlPages, controlPages } from './control.ts';
import { watch } from './journal.ts';
import { worldSources } from './sources.ts';
import { collectCalls } from './upstream-calls.ts';

/** Milliseconds between two notes of a world's being used, and between two looks for those that are not. */
const NOTED = 60_000;
const LOOK = 10 * 60_000;

export interface SimulatorHost
  extends Pick<Composition, 'config' | 'clock' | 'ids' | 'sources' | 'seedStores' | 'closeStreams' | 'close'> {
  /** The control API, where there is something to control. */
  readonly pages: ControlPages['middleware'] | null;
  /** Writes down every call, where what is answered is made up. */
  readonly watch: DevelopmentParts['watch'] | null;
  /** What whoever starts it should know. */
  readonly notes: readonly string[];
  /** Told of every world that somebody calls in. */
  use(world: string): void;
}

export async function createSimulatorHost(
  names: readonly SimulatedUpstream[],
  config: Config,
  directory: PeopleDirectory,
  common: Clock,
): Promise<SimulatorHost> {
  const calls = collectCalls();
  const journal = createJournal();
  const { dataDir } = config;
  const still = config.simulatorToday !== undefined;
  const simulators = await startSimulators(names, {
    directory,
    clock: common,
    port: 0,
    dataDir,
    still,
    // What PostgreSQL keeps outlives this folder, and the count of ids in it.
    randomIds: config.store.kind === 'postgres',
    onCall: calls.onCall,
  });
  const { worlds, shelf } = simulators;
  const sources = worldSources(config, simulators);
  const used = new Map<string, number>();
  let deps: ControlDeps | undefined;
  let pages: ReturnType<typeof controlPages> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function use(world: string): void {
    const now = Date.now();
    if (now - (used.get(world) ?? 0) < NOTED) return;
    used.set(world, now);
    worlds.state.use(world, now);
  }

  return {
    config: addressed(config, simulators.urls),
    notes: [
      ...othersIn(dataDir).map(
        (pid) =>
          `process ${pid} works in ${dataDir} too; clocks, faults and journals are each one’s own. Apart: DATA_DIR=.data2 ${START}`,
      ),
      ...shelf.unreadable.map((file) => `${file} is not a whole document, and is left out`),
    ],
    clock: worlds.clock,
    ids: worlds.ids,
    sources,
    use,
    seedStores(store) {
      const seeded = simulators.seeded(store);
      deps = {
        worlds,
        directory,
        simulated: names,
        shelf,
        stores: { ...seeded.stores, brieven: store.brieven },
        seeded,
        archive: archiveOf(store.db),
        dataDir: config.dataDir,
        renew: sources.renew,
        entries: journal.count,
        clearJournal: journal.clear,
        async leave(world) {
          used.delete(world);
          await simulators.leave(world);
        },
      };
      pages = controlPages(controlOperations(deps, journalOperations(journal)), use);
      const look = () => deps && deleteUnusedWorlds(deps, Date.now()).catch(() => undefined);
      look();
      timer = setInterval(look, LOOK);
      timer.unref();
      return seeded.stores;
    },
    pages: (ctx, next) => (pages === undefined ? next().then(() => undefined) : pages.middleware(ctx, next)),
    watch: watch(journal, {
      simulated: names,
      details: calls.take,
      isRefusing: (world, bron) => names.some((name) => name === bron && worlds.isRefusing(world, name)),
    }),
    closeStreams: () => pages?.close(),
    async close() {
      clearInterval(timer);
      await simulators.close();
    },
  };
}
