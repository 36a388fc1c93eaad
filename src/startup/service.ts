import { createSecretKey, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { OidcOptions } from '../../adapters/oidc/index.ts';
import type { OtlpTracing } from '../../adapters/otlp/index.ts';
import {
  createProcessingLog,
  fileSink,
  type MeasuredProcessingLog,
  NotAFile,
  type ProcessingLogOptions,
  type Sink,
  stderrSink,
} from '../../adapters/processing-log/index.ts';
import type { OnStatement, OpenStore } from '../../adapters/store/index.ts';
import { createApp } from '../app.ts';
import type { Identity } from '../auth/identity.ts';
import { type Config, ConfigError } from '../config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../config/upstreams.ts';
import { API_VERSION, headersOf } from '../http/middleware/headers.ts';
import { createLoadMonitor } from '../http/middleware/load.ts';
import { createRates, createRequestsPerPerson } from '../http/operation/rates.ts';
import { createServer } from '../http/server/server.ts';
import { UpstreamError } from '../ports/call.ts';
import { type Clock, RANDOM_IDS } from '../ports/clock.ts';
import type { ConnectionStats, Meters } from '../ports/meters.ts';
import { type Store, StoreUnavailable } from '../ports/store/store.ts';
import { type OrphanSweeper, sweepOrphans } from '../uploads/sweeper.ts';
import type { Composition, Development, Hints } from './development.ts';
import { listen } from './listen.ts';
import { openManagement, warnAboutCertificates, watchHealth } from './management.ts';
import { connectionLimit, prepareTemporaryFiles, requireDescriptors } from './process/index.ts';
import { dataFault, openConfiguredStore, warnAboutStore } from './wiring/store.ts';
import { connectUpstreams } from './wiring/upstreams.ts';

// Opens the parts in the order in which they need each other, and then listens. Part of the composition root.

export interface Service {
  readonly url: string;
  /** Null when there is no management port. */
  readonly managementUrl: string | null;
  /**
   * Stops the service gracefully: accepts requests for another `notice` milliseconds (default 0), finishes those in
   * progress within 8.5 seconds in total, and then closes every resource. Its readiness probe fails at once.
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
}

// Milliseconds from the start of `close` within which the requests in progress must finish.
const DRAIN_TIMEOUT = 8_500;
// Milliseconds from the start of `close` within which the processing log and the traces are written.
const WRITE_TIMEOUT = 9_500;

const SYSTEM_CLOCK: Clock = { now: () => new Date() };

interface Phase {
  // True from the end of the start until `close` is called.
  isOpen: boolean;
  // When the processing log and the tracing must be closed, by `performance.now()`.
  closeBy?: number;
  // Absent before the public port listens.
  connections?: () => ConnectionStats;
}

/** Starts the service. When the start fails, it closes everything that was opened and throws the error. */
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

// Opens the store and the simulator at the same time. When one fails, the other is still added to `opened`, which
// closes it.
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
  const isServing = () => phase.isOpen && identities.ready();
  // On the machine of a developer a late event loop is no load of this service, and no other process takes its requests.
  const load = opened.keep(createLoadMonitor(config.atOnce, development && Number.POSITIVE_INFINITY));
  const { readyWithoutStore, timing } = config;
  const health = watchHealth({ store, timing, readyWithoutStore, isServing, upstreams: upstreams.stats, logger });
  const management = await openManagement(config, {
    upstreams: upstreams.stats,
    load: load.now,
    health,
    processingLog: processingLog.stats,
    pool: store.pool,
    connections: () => phase.connections?.() ?? null,
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
    leftovers: store.uploads,
    briefStore: store.brieven,
    keys: store.keys,
    timing,
    processingLog,
    uploadLimits: config.uploadLimits,
    conceptDays: config.conceptDays,
    retention: store.retention,
    readiness: async () => (await health()).ready,
    load,
    rates: createRates(config.rateLimits),
    perPerson: createRequestsPerPerson(config.atOnce),
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

interface Closable {
  close(): unknown;
}

/** Closed in reverse order. (`AsyncDisposableStack` does the same, but Node 22 does not have it.) */
interface Resources {
  keep<Resource extends Closable>(resource: Resource): Resource;
  /** Also when one of them fails to close. Rejects with the first error. */
  close(): Promise<void>;
}

function createResources(): Resources {
  const resources: Closable[] = [];
  return {
    keep(resource) {
      resources.push(resource);
      return resource;
    },
    async close() {
      const failures: unknown[] = [];
      for (const resource of resources.splice(0).reverse()) {
        try {
          await resource.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Undefined when no traces are configured. */
async function openTracing({ tracing, deployment }: Config): Promise<OtlpTracing | undefined> {
  if (tracing === null) return undefined;
  const { createTracing } = await import('../../adapters/otlp/index.ts');
  return createTracing({ ...tracing, version: API_VERSION, deployment });
}

/** Writes its results to the log and the metrics. */
function startSweeper(
  deps: Parameters<typeof sweepOrphans>[0] & { readonly logger: Logger; readonly meters?: Meters },
): OrphanSweeper {
  const { logger, meters } = deps;
  return sweepOrphans(deps, (round) => {
    const { removed, failed, expired, error } = round;
    meters?.sweep(round);
    if (error === undefined) {
      if (failed > 0) logger.warn({ orphans: removed, failed });
      else if (removed > 0) logger.info({ orphans: removed });
      if (expired !== undefined && expired.concepts > 0) logger.info({ expired });
    }
    // An unavailable upstream or store is reported elsewhere; the next round tries again.
    else if (!(error instanceof UpstreamError || error instanceof StoreUnavailable))
      logger.error({ orphans: removed, error: error instanceof Error ? error.name : typeof error });
  });
}

/**
 * Logs failures and recoveries. Throws a `ConfigError` when the file cannot be written.
 *
 * @param options - not in the configuration, for tests
 */
async function openProcessingLog(
  { processingLog, identity }: Config,
  logger: Logger,
  options: Partial<Pick<ProcessingLogOptions, 'sink' | 'maxWaiting'>> = {},
): Promise<MeasuredProcessingLog> {
  const { to, key, activities } = processingLog;
  const { sink, maxWaiting } = options;
  return createProcessingLog({
    sink: sink ?? (await sinkOf(to)),
    // Without a configured key a random one is used, so that the pseudonyms cannot be traced back to a person.
    key: createSecretKey(key ?? randomBytes(32)),
    subjectKey: identity.kind === 'oidc' ? identity.subjectKeys[0] : undefined,
    activities,
    ...(maxWaiting !== undefined && { maxWaiting }),
    version: API_VERSION,
    onStateChange: (change) => logger[change.state === 'recovered' ? 'warn' : 'error']({ processingLog: change }),
  });
}

async function sinkOf(to: Config['processingLog']['to']): Promise<Sink> {
  if (to === 'nowhere') return async () => undefined;
  if (to === 'stderr') return stderrSink();
  return fileSink(to.file).catch((error: NodeJS.ErrnoException) => {
    const why =
      error instanceof NotAFile
        ? 'is a pipe or a socket, not a file; choose a file, or "stderr"'
        : `cannot be written to (${error.code})`;
    throw new ConfigError([`PROCESSING_LOG: ${to.file} ${why}`]);
  });
}

// The way to identify callers, and whether it is ready.
interface OpenIdentity {
  readonly identity: Identity;
  // Callers can be identified: for tokens, the keys of the issuers are known.
  ready(): boolean;
  close(): Promise<void>;
}

interface IdentityParts extends Pick<Composition, 'withPersonIds'> {
  // Undefined in a build without the stand-in identity.
  readonly standIn: Identity | undefined;
  readonly rename: OidcOptions['rename'];
}

/** Throws a `ConfigError` when the simulated login is configured and this build has none. */
async function openIdentity(
  { identity: config, atOnce, timing }: Config,
  { standIn, withPersonIds, rename }: IdentityParts,
  logger: Logger,
): Promise<OpenIdentity> {
  if (config.kind === 'oidc') {
    const { createOidc } = await import('../../adapters/oidc/index.ts');
    const oidc = createOidc({
      ...config,
      // The other half is for callers whom the service can identify without that issuer.
      maxWaiting: Math.max(1, Math.floor(atOnce / 2)),
      rename,
      timing,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: withPersonIds?.(oidc) ?? oidc, ready: oidc.ready, close: oidc.close };
  }
  if (standIn === undefined) throw new ConfigError(['IDENTITY: this build has no stand-in']);
  return { identity: standIn, ready: () => true, close: async () => {} };
}
