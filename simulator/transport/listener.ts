import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import { hostIn, isOfOwnNetwork } from '../../src/domain/host-name.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import type { World, Worlds } from '../worlds/index.ts';
import { announcedLength, chunksOf } from './chunks.ts';
import type { Delivery } from './delivery.ts';
import type { Respond } from './respond.ts';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** The simulated upstream that a server answers for, in all worlds. */
export interface ServedUpstream {
  readonly worlds: Worlds;
  readonly respond: Respond;
  /** True when request bodies can be large files. These requests bypass MSW, which copies bodies in memory. */
  readonly hasFiles: boolean;
}

/** Matches the prefix `/@<world>` of a path. Paths of the default world have no prefix. */
const WORLD = /^\/@([a-z0-9-]{1,32})(?=\/)/;

/**
 * Starts a server on 127.0.0.1 for a simulated upstream; port 0 means any free port. Rejects when the port is in use.
 * Needed for a service in another process, and because MSW does not intercept calls of undici.
 */
export async function listen(served: ServedUpstream, port: number): Promise<Listener> {
  const server = createServer((incoming, outgoing) => {
    if (isFromPage(incoming)) {
      outgoing.writeHead(403, { 'Content-Type': 'text/plain' }).end('A web page may not call a simulated upstream.\n');
      return;
    }
    answer(served, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // The connection pool of the adapter keeps an idle connection for four seconds; the server must keep it longer.
  server.keepAliveTimeout = 30_000;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// Any page in the browser of the developer can reach 127.0.0.1. A page whose host name is made to point there (DNS
// rebinding) sends only `Host`.
const isFromPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined ||
  (headers['sec-fetch-site'] ?? 'none') !== 'none' ||
  !isOfOwnNetwork(hostIn(headers.host ?? '') ?? '');

async function answer(served: ServedUpstream, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = incoming.url ?? '/';
  const [prefix = '', name = DEFAULT_WORLD] = WORLD.exec(url) ?? [];
  const world = served.worlds.at(name);
  const request = requestOf(incoming, url.slice(prefix.length));
  const response = await (served.hasFiles
    ? responseTo(served, world, request)
    : getResponse([handlerOf((copy) => deliveryTo(served, world, copy))], request));
  if (response === undefined) throw new Error('MSW found no handler');
  outgoing.setHeader('Date', world.now().toUTCString());
  await send(outgoing, response);
}

const responseTo = async (served: ServedUpstream, world: World, request: Request): Promise<Response> =>
  responseOf(await deliveryTo(served, world, request), request.method);

async function deliveryTo({ respond }: ServedUpstream, world: World, request: Request) {
  const { method, headers, body } = request;
  return respond(world, { method, url: request.url.slice(BASE.length), headers, body });
}

/** Origin that is put before the path of a request, because `Request` needs an absolute URL. */
const BASE = 'http://127.0.0.1';

function requestOf(incoming: IncomingMessage, url: string): Request {
  const { method = 'GET', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(BASE + url, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
  });
}

/** Resets the connection for a network error, and closes it when the body is shorter than its `Content-Length`. */
async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  if (response.type === 'error') {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders();
  const announced = Number(response.headers.get('content-length') ?? 0);
  let sentBytes = 0;
  if (response.body !== null)
    for await (const chunk of response.body) {
      await new Promise<void>((resolve, reject) => {
        outgoing.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      sentBytes += chunk.length;
    }
  if (sentBytes >= announced || outgoing.req.method === 'HEAD') outgoing.end();
  else outgoing.write('', () => outgoing.destroy());
}

const handlerOf = (respond: (request: Request) => Promise<Delivery>): RequestHandler =>
  http.all('*', async ({ request }) => responseOf(await respond(request), request.method));

/** A reset connection becomes `HttpResponse.error()`. Never settles when the upstream sends nothing. */
async function responseOf(delivery: Delivery, method: string): Promise<Response> {
  if (delivery.kind === 'reset') return HttpResponse.error();
  if (delivery.kind === 'silence') return new Promise(() => undefined);
  const { status, body } = delivery;
  if (status === 204) return new Response(null, { status, headers: delivery.headers });
  const headers = { ...delivery.headers, 'content-length': String(announcedLength(delivery)) };
  if (method === 'HEAD') return new Response(null, { status, headers });
  const isWhole = delivery.cut === undefined && delivery.dripInterval === undefined;
  return isWhole && (body === null || typeof body === 'string')
    ? new Response(body, { status, headers })
    : new Response(ReadableStream.from(chunksOf(delivery)), { status, headers });
}
