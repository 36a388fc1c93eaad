/**
 * A listener on the network for an audience, while the service itself listens on this machine only. It answers what an
 * audience reads in one world, and refuses everything else.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROBLEM_TYPE } from '../../../src/http/exchange.ts';
import { DEFAULT_WORLD } from '../../people/directory.ts';
import { isForwarded } from './forwarded.ts';

export interface AudienceListeners {
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

/**
 * Starts a listener on each of the addresses. Rejects, and listens on none, when one of them cannot be used.
 * @param isRead - returns true for a path of the simulator that an audience reads in this world
 * @param service - URL of the service on loopback
 */
export async function listenForAudience(
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
