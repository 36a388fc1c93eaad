/** What can be done beside serving. Part of the composition root: it crosses buildings, as `main.ts` does. */
import { openStore } from '../../adapters/store/index.ts';
import { type Config, ConfigError } from '../config.ts';
import { PREFIX, SOURCES } from '../sources.ts';
import { simulatorsBanner } from './banner.ts';
import { clockOf } from './clock.ts';
import { onSignal } from './signals.ts';

/** Only the simulators, on fixed ports, for another process to call. */
async function serveSimulators(config: Config): Promise<void> {
  const [{ createDirectory }, { DOCUMENTS_ACCESS, SIMULATED, startSimulators }] = await Promise.all([
    import('../../fixtures/directory.ts'),
    import('../../simulator/index.ts'),
  ]);
  const { simulatorsPort: port, dataDir } = config;
  const simulators = await startSimulators(SIMULATED, {
    directory: createDirectory(),
    clock: clockOf(config),
    port,
    dataDir,
  });
  const { urls } = simulators;
  const variables = {
    ...Object.fromEntries(SOURCES.map((source) => [`${PREFIX[source]}_UPSTREAM`, urls[source] ?? ''])),
    DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
    DOCUMENTS_SECRET: DOCUMENTS_ACCESS.secret,
    DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
    DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
    SCANNER: urls.scanner ?? '',
  };
  process.stdout.write(simulatorsBanner(variables));
  onSignal(() => simulators.close());
}

/** Only the schema: for a deployment that wants it done before the first new instance starts. */
async function migrateStore(config: Config): Promise<void> {
  const store = await openStore(config.store);
  await store.close();
  process.stdout.write('The schema is up to date.\n');
}

/** Empties the store and what the simulated register and store of documents remember. */
async function reset(config: Config): Promise<void> {
  if (config.productionLike) throw new ConfigError([`reset: ${config.deployment} is not emptied`]);
  const store = await openStore(config.store);
  await store.erase();
  await store.close();
  const { eraseSimulated } = await import('../../simulator/index.ts');
  eraseSimulated(config.dataDir);
  process.stdout.write('Store and simulators are empty; everyone is as on their first day.\n');
}

/** What the simulated register delivered, as its readers have it. */
async function letters({ dataDir, productionLike, deployment }: Config): Promise<void> {
  if (productionLike) throw new ConfigError([`letters: ${deployment} has no simulated register`]);
  const { deliveredLetters } = await import('../../simulator/index.ts');
  process.stdout.write(deliveredLetters(dataDir));
}

/** By name, as `npm run <name>` calls them. */
export const COMMANDS: Readonly<Record<string, (config: Config) => Promise<void>>> = {
  simulators: serveSimulators,
  migrate: migrateStore,
  reset,
  letters,
};
