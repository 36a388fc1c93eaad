import type { Config } from '../config.ts';
import { API_VERSION } from '../http/headers.ts';
import { SOURCES, type Source } from '../sources.ts';

/** What `npm start` tells: where it listens, what is real, who one can be, and a line to paste. */
export function banner(
  config: Config,
  { url, managementUrl }: { readonly url: string; readonly managementUrl: string | null },
): string {
  const rows: [string, string][] = [
    ['listening', `${url}${config.host === '127.0.0.1' ? '  (this machine only)' : ''}`],
    ...SOURCES.map((source): [string, string] => [source, describe(config, source)]),
    ['scanner', scannerOf(config)],
    ['identity', identityOf(config)],
    ['store', storeOf(config)],
    ...(managementUrl === null ? [] : [['metrics', `${managementUrl}/metrics`] satisfies [string, string]]),
    ...(config.productionLike ? [] : [['docs', `${url}/docs`] satisfies [string, string]]),
  ];
  return [
    `zorgregister-bff ${API_VERSION}, ${config.deployment}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...(config.simulatorToday === undefined ? [] : [`  ${'clock'.padEnd(10)} frozen at ${config.simulatorToday}`]),
    ...(config.identity.kind === 'oidc'
      ? []
      : ['Try:', `  curl -s ${url}/api/v1/dashboard-view -H 'Authorization: Bearer dev' -H 'X-Subject: sanne-de-wit'`]),
    '',
  ].join('\n');
}

function identityOf({ identity }: Config): string {
  if (identity.kind === 'stand-in') return 'stand-in: Authorization, and X-Subject (X-Role) or X-Medewerker (X-Rollen)';
  const { professional, staff } = identity;
  return `tokens of ${professional.issuer} for professionals, ${staff?.issuer ?? 'nobody'} for staff`;
}

function describe({ upstreams }: Config, source: Source): string {
  const upstream = upstreams[source];
  // Origin and path only: a query or user name may hold a secret.
  return upstream.kind === 'simulator' ? 'simulated' : `real: ${upstream.url.origin}${upstream.url.pathname}`;
}

function scannerOf({ scanner }: Config): string {
  if (scanner.kind === 'clamd') return `clamd at ${scanner.host}:${scanner.port}`;
  return scanner.kind === 'none'
    ? 'none: uploads are not searched for viruses'
    : 'simulated: finds the EICAR test file';
}

/** Host and database only: the URL holds a password. */
function storeOf({ store }: Config): string {
  if (store.kind === 'postgres') return `PostgreSQL at ${new URL(store.url).host}${new URL(store.url).pathname}`;
  return store.folder === ':memory:' ? 'memory: nothing is kept' : `SQLite in ${store.folder}`;
}

/** What `npm run simulators` tells: the variables with which another process finds them. */
export function simulatorsBanner(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `  ${name}=${value}`);
  return ['Simulators are listening. Point a service at them with', ...lines, ''].join('\n');
}
