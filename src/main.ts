/** The composition root: configuration → simulators → adapters → app → listen. The only file that crosses buildings. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { createBrp } from '../adapters/brp/index.ts';
import { createDuo } from '../adapters/duo/index.ts';
import { createHttpClient } from '../adapters/http-client.ts';
import { createBrieven } from '../adapters/register/brieven/index.ts';
import { createRegister } from '../adapters/register/index.ts';
import { openStore } from '../adapters/store/index.ts';
import type { Simulators } from '../simulator/index.ts';
import { createApp } from './app.ts';
import { standIn } from './auth/stand-in.ts';
import { banner, simulatorsBanner } from './banner.ts';
import { type Config, ConfigError, readConfig, SOURCES, type Source } from './config.ts';
import { headersOf } from './http/headers.ts';
import { createServer } from './http/server.ts';
import type { Clock } from './ports/clock.ts';
import type { Store } from './ports/store.ts';

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
  const simulated = SOURCES.filter((source) => config.upstreams[source].kind === 'simulator');
  const { createDirectory } = await import('../fixtures/directory.ts');
  const directory = createDirectory();
  const [store, simulators] = await Promise.all([
    openStore(config.store),
    simulated.length === 0 ? NO_SIMULATORS : startSimulators(simulated, config, directory, clock, 0),
  ]);

  const client = (bron: Source) => {
    const upstream = config.upstreams[bron];
    if (upstream.kind === 'url') return createHttpClient({ bron, url: upstream.url, headers: upstream.headers });
    return createHttpClient({ bron, url: new URL(simulators.urls[bron] ?? ''), headers: {} });
  };
  const clients = { register: client('register'), brp: client('brp'), duo: client('duo') };

  let open = false;
  const app = createApp({
    identity: standIn(directory),
    clock,
    simulated,
    register: createRegister(clients.register),
    brp: createBrp(clients.brp),
    duo: createDuo(clients.duo),
    applications: simulated.includes('register') ? simulators.seeded(store.applications) : store.applications,
    brieven: createBrieven(clients.register),
    briefStore: store.brieven,
    keys: store.keys,
    readiness: async () => open && (await isReachable(store)),
    logger,
    productionLike: config.productionLike,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    ...(!config.productionLike && { pages: await developmentPages() }),
  });
  const { server, drain } = createServer(app.callback(), headersOf(config.productionLike), logger);
  await listen(server, config);
  open = true;

  return {
    url: urlOf(server, config.host),
    async close() {
      open = false;
      await drain(DRAIN);
      await Promise.all([...Object.values(clients).map((one) => one.close()), simulators.close(), store.close()]);
    },
  };
}

const NO_SIMULATORS: Simulators = { urls: {}, seeded: (store) => store, close: async () => {} };

type Directory = ReturnType<typeof import('../fixtures/directory.ts').createDirectory>;

async function startSimulators(
  names: readonly Source[],
  { dataDir }: Config,
  directory: Directory,
  clock: Clock,
  port: number,
) {
  const simulator = await import('../simulator/index.ts');
  return simulator.startSimulators(names, { directory, clock, port, dataDir });
}

/** Only the simulators, on fixed ports, for another process to call. */
async function serveSimulators(config: Config): Promise<void> {
  const { createDirectory } = await import('../fixtures/directory.ts');
  const simulators = await startSimulators(SOURCES, config, createDirectory(), clockOf(config), config.simulatorsPort);
  process.stdout.write(simulatorsBanner(simulators.urls));
  onSignal(() => simulators.close());
}

async function developmentPages() {
  const [{ docsPage }, { PERSONAS }] = await Promise.all([
    import('./docs/page.ts'),
    import('../fixtures/personas/index.ts'),
  ]);
  return docsPage(PERSONAS);
}

/** One clock for the service and its simulators. Noon, so that no time zone makes another day of it. */
function clockOf({ simulatorToday }: Config): Clock {
  if (simulatorToday === undefined) return { now: () => new Date() };
  const frozen = Date.parse(`${simulatorToday}T12:00:00Z`);
  return { now: () => new Date(frozen) };
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

/** The first SIGTERM or SIGINT stops in good order, a second one at once. */
function onSignal(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function createLogger({ logLevel, logFormat }: Config): Promise<Logger> {
  const pretty = logFormat === 'pretty' || (logFormat === undefined && process.stdout.isTTY);
  if (!pretty) {
    const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
    // Gathered for a moment, so that a busy second costs a few system calls and not thousands; the rest goes out at exit.
    const destination = pino.destination({ sync: false, minLength: 4_096, periodicFlush: 250 });
    process.once('exit', () => destination.flushSync());
    return pino(options, destination);
  }
  const { default: prettyStream } = await import('pino-pretty');
  return pino({ level: logLevel, base: null }, prettyStream({ singleLine: true, translateTime: 'SYS:HH:MM:ss' }));
}

/** Only the schema: for a deployment that wants it done before the first new instance starts. */
async function migrateStore(config: Config): Promise<void> {
  const store = await openStore(config.store);
  await store.close();
  process.stdout.write('The schema is up to date.\n');
}

/** Empties the store and what the simulated register remembers. */
async function reset(config: Config): Promise<void> {
  if (config.productionLike) throw new ConfigError([`reset: ${config.deployment} is not emptied`]);
  const store = await openStore(config.store);
  await store.erase();
  await store.close();
  const { openState } = await import('../simulator/state.ts');
  const state = openState(config.dataDir);
  state.erase();
  state.close();
  process.stdout.write('Store and simulated register are empty; everyone is as on their first day.\n');
}

/** What the simulated register delivered, as its readers have it. */
async function letters({ dataDir, productionLike, deployment }: Config): Promise<void> {
  if (productionLike) throw new ConfigError([`letters: ${deployment} has no simulated register`]);
  const { deliveredLetters } = await import('../simulator/index.ts');
  process.stdout.write(deliveredLetters(dataDir));
}

const COMMANDS: Readonly<Record<string, (config: Config) => Promise<void>>> = {
  simulators: serveSimulators,
  migrate: migrateStore,
  reset,
  letters,
};

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

/** SQLite's result code for a file of another kind. */
const NOT_A_DATABASE = 26;

/** What a person can do about a start that failed, in one line each. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, port, path, syscall, errcode } = error as NodeJS.ErrnoException & {
    port?: number;
    errcode?: number;
  };
  if (code === 'ERR_SQLITE_ERROR' && errcode === NOT_A_DATABASE) {
    return 'DATA_DIR holds a file that is no SQLite database. Move it away, or choose another folder: DATA_DIR=.data2 npm start';
  }
  if (syscall === 'mkdir' || code === 'ERR_SQLITE_ERROR') {
    return `DATA_DIR cannot be used${path ? `: ${path}` : ''} (${error.message}). Choose a folder that can be written, or keep nothing: DATA_DIR=:memory: npm start`;
  }
  if (syscall === 'connect' || syscall === 'getaddrinfo' || /^(28|3D|57|53)/.test(code ?? '')) {
    return `DATABASE_URL: PostgreSQL cannot be reached or does not let us in (${code}). Leave it out to keep everything in DATA_DIR.`;
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop what uses it, or choose another: PORT=${(port ?? 3000) + 1} npm start`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose one above 1023: PORT=3000 npm start`;
  return error.stack ?? error.message;
}
