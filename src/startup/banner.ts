import type { Config } from '../config/index.ts';
import { CONFIGURED_UPSTREAMS, type ConfiguredUpstream } from '../config/upstreams.ts';
import { API_VERSION } from '../http/headers.ts';
import type { Hints } from './development.ts';

/**
 * Returns the text that `npm start` prints: URL, real and simulated upstreams, identity, store, and an example request.
 */
export function banner(
  config: Config,
  {
    url,
    managementUrl,
    hints,
  }: { readonly url: string; readonly managementUrl: string | null; readonly hints?: Hints },
): string {
  const rows: [string, string][] = [
    ['listening', `${url}${config.host === '127.0.0.1' ? '  (this machine only)' : ''}`],
    ...CONFIGURED_UPSTREAMS.map((source): [string, string] => [source, describe(config, source)]),
    ['scanner', scannerOf(config)],
    ['identity', identityOf(config, hints)],
    ['store', storeOf(config)],
    ...(managementUrl === null ? [] : [['metrics', `${managementUrl}/metrics`] satisfies [string, string]]),
    ['processing', processingOf(config)],
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
  if (identity.kind === 'stand-in') return hints?.identity ?? 'none';
  const { professional, staff } = identity;
  return `tokens of ${professional.issuer} for professionals, ${staff?.issuer ?? 'nobody'} for staff`;
}

function describe({ upstreams }: Config, source: ConfiguredUpstream): string {
  const upstream = upstreams[source];
  // Origin and path only: a query or user name may contain a secret.
  return upstream.kind === 'simulator' ? 'simulated' : `real: ${upstream.url.origin}${upstream.url.pathname}`;
}

function scannerOf({ scanner }: Config): string {
  if (scanner.kind === 'clamd') return `clamd at ${scanner.host}:${scanner.port}`;
  return scanner.kind === 'none'
    ? 'none: uploads are not searched for viruses'
    : 'simulated: finds the EICAR test file';
}

function processingOf({ processingLog: { to, key } }: Config): string {
  const place = typeof to === 'string' ? to : to.file;
  return key === undefined ? `${place}, under a key that ends with this process` : place;
}

/** Returns the kind and place of the store for the start message, without the user and password in its URL. */
function storeOf({ store }: Config): string {
  if (store.kind === 'postgres') return `PostgreSQL at ${new URL(store.url).host}${new URL(store.url).pathname}`;
  return store.folder === ':memory:' ? 'memory: nothing is kept' : `SQLite in ${store.folder}`;
}
