import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { addressOf } from '../config/database.ts';
import type { Config } from '../config/index.ts';
import { CONFIGURED_UPSTREAMS, type ConfiguredUpstream } from '../config/upstreams.ts';
import { isLoopback } from '../domain/host-name.ts';
import { API_VERSION } from '../http/middleware/headers.ts';
import type { Development, Hints } from './development.ts';

interface Announced {
  readonly url: string;
  readonly managementUrl: string | null;
  readonly hints?: Hints;
}

/** A text for people with `development`, which a production-like deployment has not, else one log line. */
export function announce(config: Config, service: Announced, logger: Logger, development?: Development): void {
  if (development !== undefined) process.stdout.write(banner(config, service));
  else {
    const build = readBuildId();
    logger.info({
      started: `zorgregister-bff ${API_VERSION}`,
      ...(build !== null && { build }),
      deployment: config.deployment,
      ...factsOf(config, service),
    });
  }
}

function factsOf(config: Config, { url, managementUrl, hints }: Announced): Readonly<Record<string, string>> {
  return {
    listening: url,
    ...Object.fromEntries(CONFIGURED_UPSTREAMS.map((name) => [name, describe(config, name)])),
    scanner: scannerOf(config),
    identity: identityOf(config, hints),
    store: storeOf(config),
    ...(managementUrl !== null && { metrics: `${managementUrl}/metrics` }),
    processing: processingOf(config),
  };
}

/** Returns the text that `npm start` prints. */
export function banner(config: Config, service: Announced): string {
  const { url, hints } = service;
  const { listening, ...facts } = factsOf(config, service);
  const rows: [string, string][] = [
    ['listening', `${listening}${isLoopback(config.host) ? '  (this machine only)' : ''}`],
    ...Object.entries(facts),
    ...Object.entries(hints?.pages ?? {}).map(([name, path]): [string, string] => [name, url + path]),
  ];
  return [
    `zorgregister-bff ${API_VERSION}, ${config.deployment}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...(config.simulatorToday === undefined ? [] : [`  ${'clock'.padEnd(10)} frozen at ${config.simulatorToday}`]),
    ...(hints?.notes ?? []).map((note) => `  ${'note'.padEnd(10)} ${note}`),
    ...(hints && config.identity.kind === 'stand-in' ? ['Try:', `  ${hints.tryThis(url)}`] : []),
    '',
  ].join('\n');
}

function identityOf({ identity }: Config, hints?: Hints): string {
  if (identity.kind !== 'oidc') return hints?.identity ?? 'none';
  const { professional, staff } = identity;
  return `tokens of ${professional.issuer} for professionals, ${staff?.issuer ?? 'nobody'} for staff`;
}

function describe({ upstreams }: Config, name: ConfiguredUpstream): string {
  const upstream = upstreams[name];
  return upstream.kind === 'simulator' ? 'simulated' : `real: ${upstream.url.href}`;
}

function scannerOf({ scanner }: Config): string {
  if (scanner.kind === 'clamd') return `clamd at ${scanner.host}:${scanner.port}`;
  return scanner.kind === 'none'
    ? 'none: uploads are not searched for viruses'
    : 'simulated: finds the EICAR test file';
}

function processingOf({ processingLog: { to, key } }: Config): string {
  if (to === 'nowhere') return 'nowhere: not written';
  const place = typeof to === 'string' ? to : to.file;
  return key === undefined ? `${place}, with a random key: the pseudonyms differ after a restart` : place;
}

// Without the user and password in the URL.
function storeOf({ store }: Config): string {
  if (store.kind === 'postgres') {
    const { at, database } = addressOf(store);
    return `PostgreSQL at ${at}${database === null ? '' : `, database ${database}`}`;
  }
  return store.folder === ':memory:'
    ? 'in memory: all data is lost when the service stops'
    : `SQLite in ${store.folder}`;
}

/**
 * A hash of the code of the artefact, which `npm run build` wrote in its package.json. Null when the service runs from
 * this repository.
 */
export function readBuildId(): string | null {
  try {
    return JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).build ?? null;
  } catch {
    return null;
  }
}
