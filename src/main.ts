/** The composition root: configuration → simulators → adapters → app → listen. With `startup/` the only part that crosses buildings. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { openStore } from '../adapters/store/index.ts';
import type { PeopleDirectory } from '../fixtures/directory.ts';
import type { SimulatedUpstream, Simulators as SimulatorProcess } from '../simulator/index.ts';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Readiness } from './health/routes.ts';
import { headersOf } from './http/headers.ts';
import { type Load, watchLoad } from './http/load.ts';
import { createRates } from './http/rates.ts';
import { createServer } from './http/server.ts';
import type { AuditEntry } from './ports/audit.ts';
import type { Clock } from './ports/clock.ts';
import type { Store } from './ports/store.ts';
import { SOURCES } from './sources.ts';
import { banner } from './startup/banner.ts';
import { clockOf } from './startup/clock.ts';
import { COMMANDS } from './startup/commands.ts';
import { explain } from './startup/explain.ts';
import { openIdentity } from './startup/identity.ts';
import { createLogger } from './startup/logger.ts';
import { onSignal } from './startup/signals.ts';
import { connectSources, type Simulated, type Sources } from './startup/wiring.ts';
import { sweepOrphans } from './uploads/orphans.ts';

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
}

export interface StartOptions {
  readonly logger: Logger;
  /** The service's clock and the simulators': they must agree on what day it is. */
  readonly clock?: Clock;
}

/** Milliseconds for requests under way at SIGTERM; the rest of ten seconds is for letting go. */
const DRAIN = 9_000;

/** Starts the service as configured. Everything that only simulation needs is imported here, when it is needed. */
export async function start(config: Config, { logger, clock = clockOf(config) }: StartOptions): Promise<Service> {
  const simulated = [
    ...SOURCES.filter((source) => config.upstreams[source].kind === 'simulator'),
    ...(config.scanner.kind === 'simulator' ? (['scanner'] as const) : []),
  ];
  let directory: Promise<PeopleDirectory> | undefined;
  const people = () =>
    (directory ??= import('../fixtures/directory.ts').then(({ createDirectory }) => createDirectory()));
  const [store, simulators, { identity, ...identities }] = await Promise.all([
    openStore(config.store),
    simulated.length === 0 ? NO_SIMULATORS : people().then((known) => simulate(simulated, config, known, clock)),
    openIdentity(config.identity, people, logger),
  ]);
  const sources = connectSources(config, simulators);
  const { applications, uploads } = simulators.seeded(store);
  const load = watchLoad(config.atOnce);
  const rates = createRates(config.rateLimits, config.store.kind === 'postgres' ? store.rates : null);

  // Whatever else is of interest, this always is.
  const auditLog = logger.child({}, { level: 'info' });
  let open = false;
  const readiness = async () => open && identities.ready() && (await isReachable(store));
  const management = await manage(config, { sources, load, store, readiness });
  const deps = {
    ...sources,
    identity,
    clock,
    simulated,
    applications,
    uploads,
    briefStore: store.brieven,
    keys: store.keys,
    audit: { record: (entry: AuditEntry) => auditLog.info({ audit: entry }) },
    uploadLimits: config.uploadLimits,
    readiness,
    load,
    rates,
    ...(management && { meters: management.metrics }),
    logger,
    productionLike: config.productionLike,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    ...(!config.productionLike && { pages: await developmentPages() }),
  };
  const { server, drain } = createServer(createApp(deps).callback(), headersOf(config.productionLike), logger);
  await listen(server, config);
  const sweeper = sweepOrphans(deps, (removed, error) =>
    error === undefined
      ? logger.info({ orphans: removed })
      : logger.error({ orphans: removed, error: error instanceof Error ? error.name : typeof error }),
  );
  open = true;

  return {
    url: urlOf(server, config.host),
    managementUrl: management?.url ?? null,
    async close(notice = 0) {
      open = false;
      await Promise.all([drain(DRAIN, notice), sweeper.stop()]);
      load.close();
      rates.close();
      await Promise.all([identities.close(), sources.close(), simulators.close(), store.close(), management?.close()]);
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

type Simulators = Simulated & Pick<SimulatorProcess, 'seeded' | 'close'>;

const NO_SIMULATORS: Simulators = { urls: {}, documents: null, seeded: (stores) => stores, close: async () => {} };

async function simulate(
  names: readonly SimulatedUpstream[],
  { dataDir }: Config,
  directory: PeopleDirectory,
  clock: Clock,
): Promise<Simulators> {
  const { DOCUMENTS_ACCESS, startSimulators } = await import('../simulator/index.ts');
  return { ...(await startSimulators(names, { directory, clock, port: 0, dataDir })), documents: DOCUMENTS_ACCESS };
}

async function developmentPages() {
  const [{ docsPage }, { PERSONAS }] = await Promise.all([
    import('./docs/page.ts'),
    import('../fixtures/personas/index.ts'),
  ]);
  return docsPage(PERSONAS);
}

const isReachable = (store: Store): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  );

/** Connections that wait to be taken. With the usual 511 a burst is dropped and comes back seconds later, too late for whoever sent it. */
const BACKLOG = 4_096;

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL'
          ? new ConfigError([`HOST: ${host} is not an address of this machine; leave it out to listen on 127.0.0.1`])
          : error,
      );
    server.once('error', fail);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** `npm start`, or one of the commands by name. */
export async function main([command]: readonly string[]): Promise<void> {
  try {
    const config = readConfig(process.env);
    if (command !== undefined) {
      const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
      if (run === undefined)
        throw new ConfigError([`${command}: no such command; there are ${Object.keys(COMMANDS).join(', ')}`]);
      return await run(config);
    }
    const logger = await createLogger(config);
    const service = await start(config, { logger });
    process.stdout.write(banner(config, service));
    onSignal((notice) => service.close(notice));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  }
}
