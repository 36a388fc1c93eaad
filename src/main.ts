/** The composition root: configuration → simulators → adapters → app → listen. With `startup/` the only part that crosses buildings. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { openStore } from '../adapters/store/index.ts';
import type { PeopleDirectory } from '../fixtures/directory.ts';
import type { SimulatedUpstream, Simulators as SimulatorProcess } from '../simulator/index.ts';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { headersOf } from './http/headers.ts';
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
import { connectSources, type Simulated } from './startup/wiring.ts';
import { sweepOrphans } from './uploads/orphans.ts';

/** A service that listens. */
export interface Service {
  readonly url: string;
  /** Unready at once, lets requests under way finish for at most nine seconds, then lets go of everything. */
  close(): Promise<void>;
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

  // Whatever else is of interest, this always is.
  const auditLog = logger.child({}, { level: 'info' });
  let open = false;
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
    readiness: async () => open && identities.ready() && (await isReachable(store)),
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
    async close() {
      open = false;
      await Promise.all([drain(DRAIN), sweeper.stop()]);
      await Promise.all([identities.close(), sources.close(), simulators.close(), store.close()]);
    },
  };
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

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL'
          ? new ConfigError([`HOST: ${host} is not an address of this machine; leave it out to listen on 127.0.0.1`])
          : error,
      );
    server.once('error', fail);
    server.listen(port, host, () => {
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
    process.stdout.write(banner(config, service.url));
    onSignal(() => service.close());
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  }
}
