// Opens the parts in the order in which they need each other, and then listens. Part of the composition root.
import type { Logger } from 'pino';
import type { MeasuredProcessingLog } from '../../adapters/processing-log/index.ts';
import type { OnStatement, OpenStore } from '../../adapters/store/index.ts';
import { createApp } from '../app.ts';
import { type Config, ConfigError } from '../config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../config/upstreams.ts';
import { headersOf } from '../http/middleware/headers.ts';
import { createLoadMonitor } from '../http/middleware/load.ts';
import { createRates, createRequestShares } from '../http/operation/rates.ts';
import { createServer } from '../http/server/server.ts';
import { type Clock, RANDOM_IDS } from '../ports/clock.ts';
import type { ConnectionStats } from '../ports/meters.ts';
import type { Store } from '../ports/store/store.ts';
import type { Composition, Development, Hints } from './development.ts';
import { listen } from './listen.ts';
import { openManagement, warnAboutCertificates, watchHealth } from './management.ts';
import { connectionLimit, prepareTemporaryFiles, requireDescriptors } from './process/index.ts';
import {
  createResources,
  openIdentity,
  openProcessingLog,
  openTracing,
  type Resources,
  startSweeper,
} from './resources.ts';
import { dataFault, openConfiguredStore, warnAboutStore } from './wiring/store.ts';
import { connectUpstreams, type UpstreamPorts } from './wiring/upstreams.ts';

export interface Service {
  readonly url: string;
  /** Null when there is no management port. */
  readonly managementUrl: string | null;
  /**
   * Stops the service gracefully: accepts requests for another `notice` milliseconds (default 0), finishes those in
   * progress within nine seconds in total, and then closes every resource. Its readiness probe fails at once.
   */
  close(notice?: number): Promise<void>;
  /** Undefined without development parts. */
  readonly hints?: Hints;
}

export interface StartOptions {
  readonly logger: Logger;
  /** Undefined in the built artefact, which does not contain them. */
  readonly development?: Development | undefined;
  /** When absent, that of `development`, or else the system clock. */
  readonly clock?: Clock;
  /** For tests. */
  readonly processing?: Parameters<typeof openProcessingLog>[2];
  /** Replace the defaults, for tests that cannot wait for the default timeouts. */
  readonly limits?: Parameters<typeof createServer>[3];
  /** Milliseconds, for tests on a busy machine. */
  readonly maxDelay?: number;
}

// Milliseconds from the start of `close` within which the requests in progress must finish.
const DRAIN_TIMEOUT = 9_000;
// Milliseconds from the start of `close` within which the processing log and the traces are written.
const WRITE_TIMEOUT = 9_500;

const SYSTEM_CLOCK: Clock = { now: () => new Date() };

interface Phase {
  // From the end of the start until `close` is called.
  isOpen: boolean;
  // By `performance.now()`: when the processing log and the tracing must be closed.
  closeBy?: number;
  // Absent before the public port listens.
  connections?: () => ConnectionStats;
}

/** When the start fails, closes everything that was opened and throws the error. */
export async function start(given: Config, options: StartOptions): Promise<Service> {
  const opened = createResources();
  try {
    const phase: Phase = { isOpen: false };
    const parts = await openParts(opened, phase, given, options);
    return await serve(opened, phase, parts, given, options);
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

// At the same time. When one fails, the other is still added to `opened`, which closes it.
async function openData(
  opened: Resources,
  given: Config,
  clock: Clock,
  { development, logger }: StartOptions,
  onStatement: OnStatement | undefined,
): Promise<[OpenStore, Composition | undefined]> {
  const opening = [
    openConfiguredStore(given, onStatement).then(opened.keep),
    development?.compose(given, clock, logger).then(opened.keep, (error) => {
      throw dataFault(error, given.dataDir, 'simulator.sqlite');
    }),
  ] as const;
  // Waits for both, also when one fails, so that the other is closed as well.
  await Promise.allSettled(opening);
  return Promise.all(opening);
}

async function openParts(opened: Resources, phase: Phase, given: Config, options: StartOptions) {
  const { logger, development, clock: common = development?.clock(given) ?? SYSTEM_CLOCK } = options;
  requireDescriptors();
  if (development === undefined) requireRealUpstreams(given);
  await prepareTemporaryFiles();
  const tracing = await openTracing(given);
  const timeLeft = () => (phase.closeBy === undefined ? undefined : Math.max(0, phase.closeBy - performance.now()));
  if (tracing) opened.keep({ close: () => tracing.close(timeLeft()) });
  const [store, composed] = await openData(opened, given, common, options, tracing?.onStatement);
  const { config, clock, ids, upstreams, standIn, withPersonIds, simulated, seedStores, parts, hints } =
    composed ?? composeWithoutSimulators(given, common);
  opened.keep(upstreams);
  const { identity, ...identities } = opened.keep(
    await openIdentity(config, { standIn, withPersonIds, rename: store.owners.rename }, logger),
  );
  const { applications, uploads } = seedStores(store);
  const processingLog = await openProcessingLog(config, logger, options.processing);
  opened.keep({ close: () => processingLog.close(timeLeft()) });
  const rates = opened.keep(createRates(config.rateLimits, config.store.kind === 'postgres' ? store.rates : null));
  const isServing = () => phase.isOpen && identities.ready();
  const observed = {
    config,
    store,
    upstreams,
    processingLog,
    isServing,
    connections: () => phase.connections?.() ?? null,
  };
  const { load, health, management } = await openMonitoring(opened, observed, options);
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
    timing: config.timing,
    processingLog,
    uploadLimits: config.uploadLimits,
    conceptDays: config.conceptDays,
    retention: store.retention,
    readiness: async () => (await health()).ready,
    load,
    rates,
    shares: createRequestShares(config.atOnce),
    ...(management && { meters: management.metrics }),
    ...(tracing && { tracing }),
    logger,
    productionLike: config.productionLike,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    ...(parts && { development: parts }),
  };
  return { deps, config, hints, managementUrl: management?.url ?? null, closeStreams: () => composed?.closeStreams() };
}

interface Observed {
  readonly config: Config;
  readonly store: OpenStore;
  readonly upstreams: Pick<UpstreamPorts, 'stats'>;
  readonly processingLog: Pick<MeasuredProcessingLog, 'stats'>;
  // Open for requests and able to identify callers.
  isServing(): boolean;
  connections(): ConnectionStats | null;
}

async function openMonitoring(
  opened: Resources,
  { config, store, upstreams, processingLog, isServing, connections }: Observed,
  { logger, maxDelay }: StartOptions,
) {
  const load = opened.keep(createLoadMonitor(config.atOnce, maxDelay));
  const { readyWithoutStore, timing } = config;
  const health = watchHealth({ store, timing, readyWithoutStore, isServing, upstreams: upstreams.stats, logger });
  const management = await openManagement(config, {
    upstreams: upstreams.stats,
    load: load.now,
    health,
    processingLog: processingLog.stats,
    pool: store.pool,
    connections,
  });
  if (management !== null) opened.keep(management);
  return { load, health, management };
}

async function serve(
  opened: Resources,
  phase: Phase,
  { deps, config, hints, managementUrl, closeStreams }: Awaited<ReturnType<typeof openParts>>,
  given: Config,
  { logger, limits }: StartOptions,
): Promise<Service> {
  const { server, drain, connections } = createServer(
    createApp(deps).callback(),
    headersOf(config),
    logger,
    { max: connectionLimit(config, logger), ...limits },
    config.timing,
  );
  warnAboutStore(given, logger);
  warnAboutCertificates(given, logger);
  const url = await listen(server, config);
  const sweeper = startSweeper(deps);
  phase.isOpen = true;
  phase.connections = connections;
  return {
    url,
    ...(hints && { hints }),
    managementUrl,
    async close(notice = 0) {
      phase.isOpen = false;
      phase.closeBy = performance.now() + WRITE_TIMEOUT;
      closeStreams();
      await Promise.all([drain(DRAIN_TIMEOUT, notice), sweeper.stop()]);
      await opened.close();
    },
  };
}

const composeWithoutSimulators = (config: Config, clock: Clock) => ({
  config,
  clock,
  ids: RANDOM_IDS,
  upstreams: connectUpstreams(config),
  standIn: undefined,
  withPersonIds: null,
  simulated: [],
  seedStores: (store: Store): Pick<Store, 'applications' | 'uploads'> => store,
  parts: undefined,
  hints: undefined,
});

function requireRealUpstreams({ identity, upstreams, scanner, simulatorToday }: Config): void {
  const simulated = [
    ...(identity.kind !== 'oidc' ? ['IDENTITY'] : []),
    ...CONFIGURED_UPSTREAMS.filter((upstream) => upstreams[upstream].kind === 'simulator').map(
      (upstream) => `${VARIABLE_PREFIX[upstream]}_UPSTREAM`,
    ),
    ...(scanner.kind === 'simulator' ? ['SCANNER'] : []),
  ];
  const faults =
    simulated.length > 0
      ? [
          `this build has no stand-in and no simulators; set a real issuer, upstream or scanner in ${simulated.join(', ')}`,
        ]
      : [];
  if (simulatorToday !== undefined) faults.push('SIMULATOR_TODAY: this build has no other clock than the real one');
  if (faults.length > 0) throw new ConfigError(faults);
}
