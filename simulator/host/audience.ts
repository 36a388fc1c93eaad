/** The addresses at which an audience opens Mijn register, and the listener on the network for one world. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../src/config/index.ts';
import { isEveryAddress, isLoopback, isLoopbackHost, toUrlHost } from '../../src/domain/host-name.ts';
import { type Context, PROBLEM_TYPE } from '../../src/http/exchange.ts';
import type { Sentence } from '../../src/problem.ts';
import type { Audience } from '../control/deps.ts';
import type { ControlOperation } from '../control/operation.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { matcher } from '../transport/paths.ts';
import { mijnFiles } from '../ui/mijn-files.ts';

/**
 * With the names in `ALLOWED_HOSTS`, otherwise `HOST`, or the IPv4 addresses of this machine when `HOST` is every
 * address. A service that listens on this machine only gets a listener for one world, when it is asked for.
 */
export function audienceOf(
  { host, allowedHosts, identity }: Config,
  operations: readonly ControlOperation[],
): Audience & { close(): void } {
  if (identity.kind !== 'stand-in')
    return notOpen({
      detail: 'Mijn register werkt alleen met IDENTITY=stand-in.',
      english: 'Mijn register works with IDENTITY=stand-in only.',
    });
  if (isLoopback(host)) return audienceOnDemand(operations);
  const named = Array.isArray(allowedHosts) ? allowedHosts.filter((name) => !isLoopback(name)) : undefined;
  if (named?.length === 0)
    return notOpen({
      detail:
        'In ALLOWED_HOSTS staan alleen namen waarmee deze machine zichzelf bereikt. Zet er ook de naam of het adres bij waarmee het publiek haar bereikt.',
      english:
        'ALLOWED_HOSTS has only names with which this machine reaches itself. Add the name or the address with which the audience reaches it.',
    });
  const hosts = () => named ?? (isEveryAddress(host) ? listOwnAddresses() : [toUrlHost(host)]);
  return {
    ...notOpen(null),
    isAlways: true,
    urls: (_, service) => hosts().map((one) => `http://${one}:${new URL(service).port}`),
  };
}

function notOpen(reason: Sentence | null): Audience & { close(): void } {
  return { reason: () => reason, isAlways: false, onDemand: null, urls: () => [], close: () => undefined };
}

function audienceOnDemand(operations: readonly ControlOperation[]): Audience & { close(): void } {
  const listening = new Map<string, Promise<AudienceListeners>>();
  async function leave(world: string): Promise<void> {
    const found = listening.get(world);
    listening.delete(world);
    (await found?.catch(() => undefined))?.close();
  }
  const opened = new Map<string, AudienceListeners>();
  return {
    reason: (world) =>
      opened.has(world)
        ? null
        : {
            detail:
              'De dienst luistert alleen op deze machine. Zet meekijken aan voor deze wereld: in de console met “Laat meekijken”, in een terminal met npm run sim -- open-audience --world <wereld>.',
            english:
              'The service listens to this machine only. Open this world to the network: in the console with “Laat meekijken”, in a terminal with npm run sim -- open-audience --world <world>.',
          },
    isAlways: false,
    urls: (world) => opened.get(world)?.urls ?? [],
    onDemand: {
      async open(world, service) {
        const isRead = readsOf(operations, world);
        if (!listening.has(world)) listening.set(world, listenForAudience(listOwnAddresses(), world, isRead, service));
        const pending = listening.get(world) as Promise<AudienceListeners>;
        try {
          const found = await pending;
          if (listening.get(world) === pending) opened.set(world, found);
        } catch (error) {
          listening.delete(world);
          throw error;
        }
      },
      async close(world) {
        opened.delete(world);
        await leave(world);
      },
    },
    close() {
      for (const world of [...listening.keys()]) void leave(world);
      opened.clear();
    },
  };
}

const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ address, family, internal }) => (family === 'IPv4' && !internal ? [address] : [])),
  );

/** Paths of the console's style sheets that Mijn register also uses. */
const SHARED_STYLES = ['theme.css', 'components.css'].map((name) => `/_simulator/assets/${name}`);

const PREFIX = '/_simulator';
const FILES: ReadonlySet<string> = new Set([...mijnFiles.keys(), ...SHARED_STYLES]);

const matchersOf = (operations: readonly ControlOperation[]) =>
  operations
    .filter(({ method, forAudience }) => forAudience === true && method === 'GET')
    .map(({ path }) => matcher(PREFIX + path));

function readsOf(operations: readonly ControlOperation[], world: string): (path: string) => boolean {
  const reads = matchersOf(operations);
  return (path) => FILES.has(path) || reads.some((match) => match(path)?.world === world);
}

/** Others may GET or HEAD a file of Mijn register, or an operation of the control API with `forAudience`. */
export function audienceRequests(operations: readonly ControlOperation[]): (ctx: Context) => boolean {
  const reads = matchersOf(operations);
  return ({ method, path }) =>
    (method === 'GET' || method === 'HEAD') && (FILES.has(path) || reads.some((match) => match(path) !== null));
}

interface AudienceListeners {
  /** Their URLs, such as `http://192.168.1.5:41234`: one for each address of this machine. */
  readonly urls: readonly string[];
  close(): void;
}

/** Milliseconds after which listeners close by themselves, when the presenter forgot them: four hours. */
const OPEN_FOR = 4 * 60 * 60 * 1_000;
const MAX_CONNECTIONS = 256;

/** Request headers that say as whom a page calls the service. */
const IDENTITY_HEADERS = ['x-subject', 'x-medewerker'] as const;
/** The request headers that are passed on. Others, such as those of a proxy, never reach the service. */
const PASSED = [
  ...IDENTITY_HEADERS,
  ...['authorization', 'x-role', 'x-rollen', 'accept', 'accept-language', 'if-none-match'],
] as const;
/** Headers of an answer that belong to one connection (RFC 9110 section 7.6.1). */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

/** Rejects, and listens on none, when an address cannot be used. `service` is the URL of the service on loopback. */
async function listenForAudience(
  addresses: readonly string[],
  world: string,
  isRead: (path: string) => boolean,
  service: string,
): Promise<AudienceListeners> {
  const servers = addresses.map(() =>
    createServer((incoming, answer) => {
      const url = URL.parse(incoming.url ?? '', 'http://audience.invalid');
      const { pathname } = url ?? { pathname: '' };
      const isAllowed =
        (incoming.method === 'GET' || incoming.method === 'HEAD') &&
        isOwnHost(incoming) &&
        !isForwarded({ get: (name) => String(incoming.headers[name.toLowerCase()] ?? '') }) &&
        isOwnPage(incoming.headers, pathname) &&
        (isRead(pathname) || (pathname.startsWith('/api/v1/') && isInWorld(incoming.headers, world)));
      if (isAllowed && url !== null) passOn(incoming, answer, new URL(url.pathname + url.search, service));
      else refuse(answer);
    }),
  );
  const close = () => {
    clearTimeout(timer);
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  const timer = setTimeout(close, OPEN_FOR);
  timer.unref();
  try {
    const urls = await Promise.all(
      servers.map(async (server, index) => {
        server.maxConnections = MAX_CONNECTIONS;
        // The service may stop while a device is connected.
        server.unref();
        await once(server.listen(0, addresses[index]), 'listening');
        return `http://${addresses[index]}:${(server.address() as AddressInfo).port}`;
      }),
    );
    return { urls, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns true when the request names the address at which it arrived: another name may be DNS rebinding. */
const isOwnHost = ({ headers: { host }, socket: { localAddress, localPort } }: IncomingMessage): boolean =>
  host === `${localAddress?.replace(/^::ffff:/, '')}:${localPort}`;

/** Returns true unless a page of another origin makes the request. A link on such a page may open Mijn register. */
function isOwnPage({ host, origin, ...headers }: IncomingHttpHeaders, path: string): boolean {
  if (origin !== undefined) return origin === `http://${host}`;
  return (
    headers['sec-fetch-site'] !== 'cross-site' ||
    (path === '/_simulator/mijn/' &&
      headers['sec-fetch-mode'] === 'navigate' &&
      headers['sec-fetch-dest'] === 'document')
  );
}

function isInWorld(headers: IncomingHttpHeaders, world: string): boolean {
  const logins = IDENTITY_HEADERS.flatMap((name) => headers[name] ?? []);
  return logins.length > 0 && logins.every((login) => (/^[^@]+@(.*)$/.exec(login)?.[1] ?? DEFAULT_WORLD) === world);
}

function passOn(incoming: IncomingMessage, answer: ServerResponse, to: URL): void {
  const headers = Object.fromEntries(
    PASSED.flatMap((name) => (incoming.headers[name] === undefined ? [] : [[name, incoming.headers[name]]])),
  );
  const outgoing = request(to, { method: incoming.method, headers }, (response) => {
    const kept = Object.entries(response.headers).filter(([name]) => !OF_CONNECTION.includes(name));
    answer.writeHead(response.statusCode ?? 502, Object.fromEntries(kept) as Record<string, string>);
    response.pipe(answer);
    response.on('error', () => answer.destroy());
  });
  outgoing.on('error', () => (answer.headersSent ? answer.destroy() : refuse(answer)));
  answer.on('close', () => outgoing.destroy());
  outgoing.end();
}

function refuse(answer: ServerResponse): void {
  const title = 'Meekijken is alleen lezen';
  const detail = 'Op dit adres kunt u meekijken met Mijn register. U kunt hier niets veranderen.';
  const code = 'alleen-meekijken';
  answer.writeHead(403, { 'Content-Type': PROBLEM_TYPE, 'Cache-Control': 'no-store' });
  answer.end(
    JSON.stringify({ type: `urn:problem-type:zorgregister-simulator:${code}`, title, status: 403, detail, code }),
  );
}

/** Headers in which a proxy or a tunnel gives the address of its client. */
const ADDRESS_HEADERS = [
  'X-Forwarded-For',
  'X-Original-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Envoy-External-Address',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'Fly-Client-IP',
];
/** Headers in which a proxy gives the host name with which the client called it. */
const NAME_HEADERS = ['X-Forwarded-Host', 'X-Original-Host', 'X-Forwarded-Server'];
/** Headers that only proxies send (RFC 9110 section 7.6.3, RFC 8586). */
const PROXY_HEADERS = ['Via', 'CDN-Loop', 'CF-Ray'];

/** Its headers name more than addresses and host names of this machine. `get` returns a header or ''. */
export function isForwarded(ctx: { get(name: string): string }): boolean {
  const listed = (name: string) =>
    ctx
      .get(name)
      .split(name === 'Forwarded' ? /[,;]/ : ',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return (
    PROXY_HEADERS.some((name) => ctx.get(name) !== '') ||
    ADDRESS_HEADERS.flatMap(listed).some((one) => !isLoopback(one)) ||
    NAME_HEADERS.flatMap(listed).some((one) => !isLoopbackHost(one)) ||
    listed('Forwarded').some((one) => !isLocal(one))
  );
}

/** Also true for `by` and `proto`, because these do not name the client (RFC 7239). */
function isLocal(member: string): boolean {
  const at = member.indexOf('=');
  const value = member
    .slice(at + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  switch (member.slice(0, Math.max(0, at)).trim().toLowerCase()) {
    case 'for':
    case 'host':
      return isLoopbackHost(value);
    case 'by':
    case 'proto':
      return true;
    default:
      return false;
  }
}
