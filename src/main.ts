/** The composition root: configuration → simulators → adapters → app → listen. The only file that crosses buildings. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { createBrp } from '../adapters/brp/index.ts';
import { createDuo } from '../adapters/duo/index.ts';
import { createHttpClient } from '../adapters/http-client.ts';
import { createRegister } from '../adapters/register/index.ts';
import { createApp } from './app.ts';
import { standIn } from './auth/stand-in.ts';
import { banner, simulatorsBanner } from './banner.ts';
import { type Config, ConfigError, readConfig, SOURCES, type Source } from './config.ts';
import { headersOf } from './http/headers.ts';
import { createServer } from './http/server.ts';
import type { Clock } from './ports/clock.ts';

/** A service that listens. */
export interface Service {
  readonly url: string;
  /** Unready at once, lets requests under way finish for at most ten seconds, then lets go of everything. */
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
  const { createDirectory } = await import('../fixtures/directory.ts');
  const directory = createDirectory();
  const simulated = SOURCES.filter((source) => config.upstreams[source].kind === 'simulator');
  const simulators = await startSimulators(simulated, { directory, clock, port: 0 });

  const client = (bron: Source) => {
    const upstream = config.upstreams[bron];
    if (upstream.kind === 'url') return createHttpClient({ bron, url: upstream.url, headers: upstream.headers });
    return createHttpClient({ bron, url: new URL(simulators.urls[bron] ?? ''), headers: {} });
  };
  const clients = { register: client('register'), brp: client('brp'), duo: client('duo') };

  let ready = false;
  const app = createApp({
    identity: standIn(directory),
    clock,
    simulated,
    register: createRegister(clients.register),
    brp: createBrp(clients.brp),
    duo: createDuo(clients.duo),
    readiness: () => ready,
    logger,
    productionLike: config.productionLike,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    ...(!config.productionLike && { pages: await developmentPages() }),
  });
  const { server, drain } = createServer(app.callback(), headersOf(config.productionLike), logger);
  await listen(server, config);
  ready = true;

  return {
    url: urlOf(server, config.host),
    async close() {
      ready = false;
      await drain(DRAIN);
      await Promise.all([...Object.values(clients).map((one) => one.close()), simulators.close()]);
    },
  };
}

/** Only the simulators, on fixed ports, for another process to call. */
async function serveSimulators(config: Config): Promise<void> {
  const { createDirectory } = await import('../fixtures/directory.ts');
  const simulators = await startSimulators(SOURCES, {
    directory: createDirectory(),
    clock: clockOf(config),
    port: config.simulatorsPort,
  });
  process.stdout.write(simulatorsBanner(simulators.urls));
  onSignal(() => simulators.close());
}

async function startSimulators(
  names: readonly Source[],
  options: {
    directory: ReturnType<typeof import('../fixtures/directory.ts').createDirectory>;
    clock: Clock;
    port: number;
  },
) {
  if (names.length === 0) return { urls: {} as Partial<Record<Source, string>>, close: async () => {} };
  const simulator = await import('../simulator/index.ts');
  return simulator.startSimulators(names, options);
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

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
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
  if (!pretty) return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const { default: prettyStream } = await import('pino-pretty');
  return pino({ level: logLevel, base: null }, prettyStream({ singleLine: true, translateTime: 'SYS:HH:MM:ss' }));
}

/** `npm start`, or with `simulators` as its argument `npm run simulators`. */
export async function main([command]: readonly string[]): Promise<void> {
  try {
    const config = readConfig(process.env);
    if (command === 'simulators') return await serveSimulators(config);
    if (command !== undefined)
      throw new ConfigError([`${command}: no such command; there is only "simulators", or none to serve`]);
    const logger = await createLogger(config);
    const service = await start(config, { logger });
    process.stdout.write(banner(config, service.url));
    onSignal(() => service.close());
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  }
}

/** What a person can do about a start that failed, in one line each. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop what uses it, or choose another: PORT=${(port ?? 3000) + 1} npm start`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose one above 1023: PORT=3000 npm start`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST is not an address of this machine${address ? `: ${address}` : ''}. Leave it out to listen on 127.0.0.1.`;
  return error.stack ?? error.message;
}
