/**
 * The composition root: reads the configuration, creates the adapters and the app, and listens. Only this file and
 * `startup/` import adapters.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from './config/upstreams.ts';
import { headersOf } from './http/headers.ts';
import { createLoadMonitor } from './http/load.ts';
import { createRates } from './http/rates.ts';
import { createServer } from './http/server.ts';
import type { Clock } from './ports/clock.ts';
import { RANDOM_IDS } from './ports/ids.ts';
import type { Store } from './ports/store.ts';
import { openAccounts } from './startup/accounts.ts';
import { announce } from './startup/banner.ts';
import { COMMANDS, namesOf } from './startup/commands.ts';
import { connectionsByOrigin } from './startup/connection-limit.ts';
import type { Development, Hints } from './startup/development.ts';
import { explain } from './startup/explain.ts';
import { watchHealth } from './startup/health.ts';
import { helpText } from './startup/help.ts';
import { START } from './startup/how-to-run.ts';
import { openIdentity } from './startup/identity.ts';
import { listen } from './startup/listen.ts';
import { createLogger } from './startup/logger.ts';
import { openManagement } from './startup/open-management.ts';
import { createResources, type Resources } from './startup/resources.ts';
import { onSignal } from './startup/signals.ts';
import { dataFault, openConfiguredStore, warnAboutStore } from './startup/store.ts';
import { startSweeper } from './startup/sweeper.ts';
import { openTracing } from './startup/tracing.ts';
import { connectUpstreams } from './startup/wiring.ts';
import { removeLeftBehind } from './uploads/transport/spooling.ts';

/** A running service: its addresses, and the function that stops it. */
export interface Service {
  readonly url: string;
  /** URL of the management port; null when there is none. */
  readonly managementUrl: string | null;
  /**
   * Stops the service gracefully. From then on its readiness probe fails. The service accepts requests for another
   * `notice` milliseconds (default 0), finishes the requests in progress within nine seconds in total, and then closes
   * every resource.
   */
  close(notice?: number): Promise<void>;
  /**
   * Texts that say how to call the service, for the start banner. Undefined when `StartOptions.development` is
   * undefined.
   */
  readonly hints?: Hints;
}

/** The arguments of `start` in addition to the configuration. */
export interface StartOptions {
  readonly logger: Logger;
  /** The simulators and the simulated login. Undefined in the built artefact, which does not contain them. */
  readonly development?: Development | undefined;
  readonly clock?: Clock;
  /** Settings of the processing log that are not in the configuration, for tests. */
  readonly processing?: Parameters<typeof openAccounts>[2];
  /** Other connection limits, for tests that cannot wait for the default ones. */
  readonly limits?: Parameters<typeof createServer>[3];
  /**
   * Event loop delay in milliseconds above which requests are refused, for tests on a busy machine. When absent, the
   * usual delay.
   */
  readonly maxDelay?: number;
}

/**
 * Milliseconds from the start of `close` within which the requests in progress finish. The whole stop takes at most ten
 * seconds.
 */
const DRAIN_TIMEOUT = 9_000;
/** Milliseconds from the start of `close` within which the processing log writes its last entries. */
const PROCESSING_LOG_TIMEOUT = 9_500;

/**
 * Starts the service as configured and returns it. When the start fails, closes everything that was opened and throws
 * the error.
 */
export async function start(given: Config, options: StartOptions): Promise<Service> {
  const opened = createResources();
  try {
    return await startWith(opened, given, options);
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

async function startWith(
  opened: Resources,
  given: Config,
  {
    logger,
    development,
    processing,
    limits,
    maxDelay,
    clock: common = development?.clock(given) ?? SYSTEM_CLOCK,
  }: StartOptions,
): Promise<Service> {
  if (development === undefined) requireRealUpstreams(given);
  await removeLeftBehind();
  const tracing = await openTracing(given);
  if (tracing) opened.keep(tracing);
  const opening = [
    openConfiguredStore(given, tracing?.onStatement).then(opened.keep),
    development?.compose(given, common, logger).then(opened.keep, (error) => {
      throw dataFault(error, given.dataDir, 'simulator.sqlite');
    }),
  ] as const;
  // Waits for both, also when one fails, so that the other is closed as well.
  await Promise.allSettled(opening);
  const [store, composed] = await Promise.all(opening);
  const { config, clock, ids, upstreams, standIn, people, simulated, seedStores, parts, hints } =
    composed ?? withoutStandIns(given, common);
  opened.keep(upstreams);
  const { identity, ...identities } = opened.keep(
    await openIdentity(config.identity, { standIn, people, rename: store.owners.rename }, logger),
  );
  const { applications, uploads } = seedStores(store);
  const accounts = await openAccounts(config, logger, processing);
  let closeBy: number | undefined;
  opened.keep({ close: () => accounts.close(closeBy === undefined ? undefined : closeBy - performance.now()) });
  const load = opened.keep(createLoadMonitor(config.atOnce, maxDelay));
  const rates = opened.keep(createRates(config.rateLimits, config.store.kind === 'postgres' ? store.rates : null));

  let open = false;
  const health = watchHealth({
    store,
    readyWithoutStore: config.readyWithoutStore,
    isServing: () => open && identities.ready(),
    upstreams: upstreams.stats,
    logger,
  });
  const management = await openManagement(config, {
    upstreams: upstreams.stats,
    load: load.now,
    health,
    processingLog: accounts.stats,
    pool: store.pool,
  });
  if (management !== null) opened.keep(management);
  const deps = {
    ...upstreams,
    identity,
    clock,
    setsDateHeader: composed !== undefined,
    ids,
    simulated,
    applications,
    uploads,
    briefStore: store.brieven,
    keys: store.keys,
    accounts,
    uploadLimits: config.uploadLimits,
    conceptDays: config.conceptDays,
    retention: store.retention,
    readiness: async () => (await health()).ready,
    load,
    rates,
    ...(management && { meters: management.metrics }),
    ...(tracing && { tracing }),
    logger,
    productionLike: config.productionLike,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    ...(parts !== null && { development: parts }),
  };
  const { server, drain } = createServer(createApp(deps).callback(), headersOf(config.productionLike), logger, {
    most: connectionsByOrigin(config, logger),
    ...limits,
  });
  await listen(server, config);
  warnAboutStore(given, logger);
  const sweeper = startSweeper(deps);
  open = true;

  return {
    url: urlOf(server, config.host),
    ...(hints && { hints }),
    managementUrl: management?.url ?? null,
    async close(notice = 0) {
      open = false;
      closeBy = performance.now() + PROCESSING_LOG_TIMEOUT;
      composed?.closeStreams();
      await Promise.all([drain(DRAIN_TIMEOUT, notice), sweeper.stop()]);
      await opened.close();
    },
  };
}

const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** Returns the parts of a service without simulated upstreams and login. */
const withoutStandIns = (config: Config, clock: Clock) => ({
  config,
  clock,
  ids: RANDOM_IDS,
  upstreams: connectUpstreams(config),
  standIn: undefined,
  people: null,
  simulated: [],
  seedStores: (store: Store): Pick<Store, 'applications' | 'uploads'> => store,
  parts: null,
  hints: undefined,
});

/**
 * Throws a `ConfigError` when the configuration asks for a simulated login or upstream, another clock or a recording,
 * which this build does not contain.
 */
function requireRealUpstreams({ identity, upstreams, scanner, simulatorToday, recordTo }: Config): void {
  const missing = [
    ...(identity.kind !== 'oidc' ? ['IDENTITY'] : []),
    ...CONFIGURED_UPSTREAMS.filter((source) => upstreams[source].kind === 'simulator').map(
      (source) => `${VARIABLE_PREFIX[source]}_UPSTREAM`,
    ),
    ...(scanner.kind === 'simulator' ? ['SCANNER'] : []),
  ];
  const faults =
    missing.length > 0
      ? [`this build has no stand-in and no simulators; set ${missing.join(', ')} to what is real`]
      : [];
  if (simulatorToday !== undefined) faults.push('SIMULATOR_TODAY: this build has no other clock than the real one');
  if (recordTo !== null) faults.push('RECORD: this build cannot record answers');
  if (faults.length > 0) throw new ConfigError(faults);
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/**
 * Starts the service, or runs the given command instead. Ends the process with code 1 and a message when that fails.
 *
 * @param load - imports the simulators and the simulated login; a production-like service does not call it
 */
export async function main([command, ...words]: readonly string[], load?: () => Promise<Development>): Promise<void> {
  // Only the owner can read the files that this process creates: drafts, documents and logs contain personal data.
  process.umask(0o077);
  try {
    if (command === 'conformance') {
      const { conformance } = await import('./startup/conformance/index.ts');
      const fictional = async () => (await load?.())?.testPersons ?? [];
      process.exitCode = await conformance(words, process.env, fictional);
      return;
    }
    const config = readConfig(process.env);
    // Production-like deployments do not even load the simulators.
    const development = config.productionLike ? undefined : await load?.();
    if (command === '--help' || command === '-h') {
      process.stdout.write(helpText(namesOf({ ...COMMANDS, ...development?.commands })));
      return;
    }
    if (command !== undefined) {
      const commands = { ...COMMANDS, ...development?.commands };
      const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
      if (run === undefined)
        throw new ConfigError([
          command.startsWith('-')
            ? `${command}: there are no options, only variables: PORT=3115 ${START}`
            : `${command}: no such command; there are ${namesOf(commands).join(', ')}`,
        ]);
      return await run(config, words);
    }
    const logger = await createLogger(config, development);
    const service = await start(config, { logger, development });
    // Before the banner, after which a user or a script may send a signal.
    onSignal((notice) => service.close(notice), logger);
    announce(config, service, logger, development);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  }
}
