/** The composition root: configuration → adapters → app → listen. With `startup/` and `development/` the only part that crosses buildings. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config/index.ts';
import { PREFIX, SOURCES } from './config/upstreams.ts';
import type { Readiness } from './health/routes.ts';
import { headersOf } from './http/headers.ts';
import { type Load, watchLoad } from './http/load.ts';
import { createRates } from './http/rates.ts';
import { createServer } from './http/server.ts';
import type { Clock } from './ports/clock.ts';
import { RANDOM_IDS } from './ports/ids.ts';
import type { Store } from './ports/store.ts';
import { openAccounts } from './startup/accounts.ts';
import { banner } from './startup/banner.ts';
import { COMMANDS } from './startup/commands.ts';
import { connectionsOf } from './startup/descriptors.ts';
import type { Development, Hints } from './startup/development.ts';
import { explain } from './startup/explain.ts';
import { START } from './startup/how-to-run.ts';
import { openIdentity } from './startup/identity.ts';
import { listen } from './startup/listen.ts';
import { createLogger } from './startup/logger.ts';
import { createOpened, type Opened } from './startup/opened.ts';
import { sharedIn } from './startup/private.ts';
import { onSignal } from './startup/signals.ts';
import { dataFault, openConfiguredStore } from './startup/store.ts';
import { connectSources, type Sources } from './startup/wiring.ts';
import { sweepOrphans } from './uploads/lifecycle/orphans.ts';
import { removeLeftBehind } from './uploads/transport/spooling.ts';

/** A service that listens. */
export interface Service {
  readonly url: string;
  /** Of the management port, when there is one. */
  readonly managementUrl: string | null;
  /**
   * Unready at once; goes on taking requests for `notice` milliseconds, none unless told; lets those under way finish, all
   * within nine seconds; then lets go of everything.
   */
  close(notice?: number): Promise<void>;
  /** How to call it, where that needs no token of a real issuer. */
  readonly hints?: Hints;
}

export interface StartOptions {
  readonly logger: Logger;
  /** Stand-ins for what is not real. A built artefact has none. */
  readonly development?: Development | undefined;
  readonly clock?: Clock;
  /** What the processing log is to be like where that is not for the configuration to say. */
  readonly processing?: Parameters<typeof openAccounts>[2];
  /** Limits of the connections, where a test cannot wait for the usual ones. */
  readonly limits?: Parameters<typeof createServer>[3];
}

/** Milliseconds from SIGTERM for requests under way, and for the processing log to take its last lines; ten seconds are promised for all. */
const DRAIN = 9_000;
const ACCOUNTS = 9_500;

/** Starts the service as configured. When that fails, whatever was open by then is closed again. */
export async function start(given: Config, options: StartOptions): Promise<Service> {
  const opened = createOpened();
  try {
    return await startWith(opened, given, options);
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

async function startWith(
  opened: Opened,
  given: Config,
  { logger, development, processing, limits, clock: common = development?.clock(given) ?? SYSTEM_CLOCK }: StartOptions,
): Promise<Service> {
  if (development === undefined) demandReal(given);
  await removeLeftBehind();
  const opening = [
    openConfiguredStore(given).then(opened.keep),
    development?.compose(given, common).then(opened.keep, (error) => {
      throw dataFault(error, given.dataDir, 'simulator.sqlite');
    }),
  ] as const;
  // When one of them fails, the other is waited for, so that it is closed as well.
  await Promise.allSettled(opening);
  const [store, composed] = await Promise.all(opening);
  const { config, clock, ids, sources, standIn, simulated, seedStores, parts, hints } =
    composed ?? standingAlone(given, common);
  opened.keep(sources);
  const { identity, ...identities } = opened.keep(await openIdentity(config.identity, standIn, logger));
  const { applications, uploads } = seedStores(store);
  const accounts = await openAccounts(config, logger, processing);
  let closeBy: number | undefined;
  opened.keep({ close: () => accounts.close(closeBy === undefined ? undefined : closeBy - performance.now()) });
  const load = opened.keep(watchLoad(config.atOnce));
  const rates = opened.keep(createRates(config.rateLimits, config.store.kind === 'postgres' ? store.rates : null));

  let open = false;
  const readiness = async () => open && identities.ready() && (await isReachable(store));
  const management = await manage(config, { sources, load, store, readiness });
  if (management !== null) opened.keep(management);
  const deps = {
    ...sources,
    identity,
    clock,
    tellsTime: composed !== undefined,
    ids,
    simulated,
    applications,
    uploads,
    briefStore: store.brieven,
    keys: store.keys,
    accounts,
    uploadLimits: config.uploadLimits,
    readiness,
    load,
    rates,
    ...(management && { meters: management.metrics }),
    logger,
    productionLike: config.productionLike,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    ...(parts !== null && { development: parts }),
  };
  const { server, drain } = createServer(createApp(deps).callback(), headersOf(config.productionLike), logger, {
    most: connectionsOf(config, logger),
    ...limits,
  });
  await listen(server, config);
  if (given.store.kind === 'sqlite') {
    const shared = sharedIn(given.store.folder);
    if (shared.length > 0) logger.warn({ dataDir: { readableByOthers: shared, advice: 'chmod -R go-rwx' } });
  }
  const sweeper = sweepOrphans(deps, (removed, error) =>
    error === undefined
      ? logger.info({ orphans: removed })
      : logger.error({ orphans: removed, error: error instanceof Error ? error.name : typeof error }),
  );
  open = true;

  return {
    url: urlOf(server, config.host),
    ...(hints && { hints }),
    managementUrl: management?.url ?? null,
    async close(notice = 0) {
      open = false;
      closeBy = performance.now() + ACCOUNTS;
      composed?.closeStreams();
      await Promise.all([drain(DRAIN, notice), sweeper.stop()]);
      await opened.close();
    },
  };
}

/** The management port, when there is to be one; what it takes is loaded then. */
async function manage(
  { management }: Config,
  { sources, load, store, readiness }: { sources: Sources; load: Load; store: Store; readiness: Readiness },
) {
  if (management === null) return null;
  const [{ createMetrics }, { startManagement }] = await Promise.all([
    import('../adapters/metrics/index.ts'),
    import('./startup/management.ts'),
  ]);
  const metrics = createMetrics({ upstreams: sources.stats, load: load.now, ping: () => store.ping() });
  return { metrics, ...(await startManagement(management, metrics, readiness)) };
}

const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** What this process is when nothing stands in for anything. */
const standingAlone = (config: Config, clock: Clock) => ({
  config,
  clock,
  ids: RANDOM_IDS,
  sources: connectSources(config),
  standIn: undefined,
  simulated: [],
  seedStores: (store: Store): Pick<Store, 'applications' | 'uploads'> => store,
  parts: null,
  hints: undefined,
});

/** A build without stand-ins says so, instead of starting without what it was told to use. */
function demandReal({ identity, upstreams, scanner, simulatorToday }: Config): void {
  const missing = [
    ...(identity.kind === 'stand-in' ? ['IDENTITY'] : []),
    ...SOURCES.filter((source) => upstreams[source].kind === 'simulator').map((source) => `${PREFIX[source]}_UPSTREAM`),
    ...(scanner.kind === 'simulator' ? ['SCANNER'] : []),
  ];
  const faults =
    missing.length > 0
      ? [`this build has no stand-in and no simulators; set ${missing.join(', ')} to what is real`]
      : [];
  if (simulatorToday !== undefined) faults.push('SIMULATOR_TODAY: this build has no other clock than the real one');
  if (faults.length > 0) throw new ConfigError(faults);
}

const isReachable = (store: Store): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  );

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** `npm start`, or one of the commands by name. */
export async function main([command, ...words]: readonly string[], load?: () => Promise<Development>): Promise<void> {
  // What this process makes is its owner's alone: drafts, documents and logs have personal data in them.
  process.umask(0o077);
  try {
    const config = readConfig(process.env);
    // Where citizens are nothing of it is even loaded.
    const development = config.productionLike ? undefined : await load?.();
    if (command !== undefined) {
      const commands = { ...COMMANDS, ...development?.commands };
      const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
      if (run === undefined)
        throw new ConfigError([
          command.startsWith('-')
            ? `${command}: there are no options, only variables: PORT=3115 ${START}`
            : `${command}: no such command; there are ${Object.keys(commands).join(', ')}`,
        ]);
      return await run(config, words);
    }
    const logger = await createLogger(config, development);
    const service = await start(config, { logger, development });
    // Before anybody can know that there is something to stop.
    onSignal((notice) => service.close(notice), logger);
    process.stdout.write(banner(config, service));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  }
}
