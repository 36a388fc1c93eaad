import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Deadline, withLastPause } from '../../ports/deadline.ts';
import type { ConnectionStats } from '../../ports/meters.ts';
import { TIMING } from '../../ports/timing.ts';
import { Problem } from '../../problem.ts';
import { unknownTransferCoding } from '../problems.ts';
import { type Connections, createSocketRefusals, limitConnections } from './connections.ts';

// Timeouts in milliseconds, and the maximum size of the headers in bytes (reliability.md, "Timeouts and limits").
const LIMITS = {
  // Long enough for the slowest upload. Other bodies have a shorter timeout (http/request/body.ts).
  requestTimeout: 125_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // A request without Host is refused in http/middleware/headers.ts: Node's own refusal has no headers and no body.
  requireHostHeader: false,
};

// `keepAliveTimeout`: milliseconds between two requests on one connection.
const CONNECTIONS = { max: 2_048, requests: 1_000, idleTimeout: 20_000, keepAliveTimeout: 5_000 };
// Milliseconds for the first request of a connection that is new when the server stops.
const ARRIVAL_TIMEOUT = 250;
// Milliseconds in which work can end after the last connections were cut.
const END_TIMEOUT = 400;

export interface BoundedServer {
  readonly server: Server;
  connections(): ConnectionStats;
  /**
   * Stops the server gracefully. For `notice` milliseconds it still accepts connections, and answers with `Connection:
   * close`. Then it finishes the requests in progress, also those of clients that have left. Connections that are open
   * `timeout` milliseconds after the call are cut; the work then has `END_TIMEOUT` to end.
   */
  drain(timeout: number, notice: number): Promise<void>;
}

// The promise, if any, settles when the work for the request has ended.
type Handler = (...exchange: Parameters<RequestListener>) => unknown;

/**
 * Passes requests to `handler`, within limits. Answers invalid HTTP with a problem (RFC 9457).
 *
 * @param headers - of answers that do not come from `handler`
 * @param limits - replaces some of the default connection limits
 */
export function createServer(
  handler: Handler,
  headers: Record<string, string>,
  logger: Logger,
  limits: Partial<typeof CONNECTIONS> = {},
  { requestHeaders, requestRest } = TIMING,
): BoundedServer {
  const { keepAliveTimeout, ...bounds } = { ...CONNECTIONS, ...limits };
  let isDraining = false;
  // Requests whose work has not ended. It can go on after the connection is closed.
  let working = 0;
  let whenIdle = (): void => undefined;
  const ended = (): void => {
    working -= 1;
    if (working === 0) whenIdle();
  };
  const answer = (response: ServerResponse): void => {
    const request = response.req;
    const problem = framingProblem(request) ?? targetProblem(request);
    if (problem !== null) {
      refuse(request.socket, problem);
      return;
    }
    if (isDraining) response.setHeader('Connection', 'close');
    if (hasBody(request)) response.once('finish', () => awaitRestOfBody(request, requestRest));
    working += 1;
    Promise.resolve(handler(request, response)).then(ended, ended);
  };
  const answerInTurn: RequestListener = (_, response) => connections.take(response);
  const server = createHttpServer({ ...LIMITS, headersTimeout: requestHeaders, keepAliveTimeout }, answerInTurn);
  leavePausesOut(server);
  const connections = limitConnections(server, bounds, answer);
  const { refuse, refuseClientError } = createSocketRefusals(headers, logger, connections);
  // A request with an unknown `Expect` is handled as usual (RFC 9110, 10.1.1).
  server.on('checkExpectation', answerInTurn);
  // The client sends the body when the service begins to read it: not when the request is refused before that (RFC 9110,
  // 10.1.1). The body then does not come, so the connection cannot be used again.
  server.on('checkContinue', (request, response) => {
    response.setHeader('Connection', 'close');
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    answerInTurn(request, response);
  });
  server.on('connect', (_, socket) =>
    connections.refuseInTurn(socket, () =>
      refuse(socket, new Problem('methode-niet-toegestaan', 'Dit is geen proxy.', { headers: { Allow: 'GET' } })),
    ),
  );
  server.on('clientError', refuseClientError);
  return {
    server,
    connections: connections.stats,
    async drain(timeout, notice) {
      isDraining = true;
      const late = sleep(timeout + END_TIMEOUT, undefined, { ref: false });
      await closeServer(server, connections, timeout, notice);
      if (working === 0) return;
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      await Promise.race([idle, late]);
    },
  };
}

/**
 * Lengthens the timeouts after a pause of the process: Node looks for late requests with a clock that also runs during
 * a pause.
 */
export function leavePausesOut(server: Server): void {
  const { headersTimeout, requestTimeout } = server;
  Object.defineProperties(server, {
    headersTimeout: { get: () => withLastPause(headersTimeout) },
    requestTimeout: { get: () => withLastPause(requestTimeout) },
  });
}

// See `BoundedServer.drain`.
async function closeServer(server: Server, connections: Connections, timeout: number, notice: number): Promise<void> {
  const until = performance.now() + timeout;
  // `Connection: close` in an answer ends a connection without losing a request that the client is just sending.
  if (notice > 0) {
    await sleep(notice);
    // The HTTP server's `close` also cuts new connections whose first request is just arriving, so stop listening
    // first.
    NetServer.prototype.close.call(server);
    await sleep(ARRIVAL_TIMEOUT);
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Sockets without a whole request are closed as well: they must not delay the stop.
  const sweep = setInterval(() => {
    if (connections.stats().busy === 0 || performance.now() > until) server.closeAllConnections();
    else server.closeIdleConnections();
  }, 50);
  await closed;
  clearInterval(sweep);
}

function awaitRestOfBody(request: IncomingMessage, timeout: number): void {
  if (request.complete) return;
  new Deadline(timeout, () => {
    if (!request.complete) request.socket.destroy();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

// Another server could see the end of the body at another place (request smuggling; RFC 9112, 6.1 and 11.2). Node
// removes the coding `chunked` and no other, and refuses a request in which `chunked` is not the last one.
function framingProblem({ httpVersion, headers }: IncomingMessage): Problem | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion !== '1.1') return new Problem('ongeldig-verzoek', 'Alleen HTTP/1.1 heeft Transfer-Encoding.');
  return coding.toLowerCase() === 'chunked' ? null : unknownTransferCoding();
}

const targetProblem = (request: IncomingMessage): Problem | null =>
  toPathTarget(request) ? null : new Problem('ongeldig-verzoek', 'Het adres van het verzoek is geen URL.');

// Makes an absolute URL a path, and replaces `Host` by its host (RFC 9112, 3.2.2). Returns false for another target,
// and for one with a fragment, which none may have. Koa would parse it with `url.parse`, which throws for some URLs,
// prints others in a warning, and finds a host in a path such as `//user@host/path#`.
function toPathTarget(request: IncomingMessage): boolean {
  const { url: target = '', headers } = request;
  if (target.includes('#')) return false;
  if (target.startsWith('/') || target === '*') return true;
  const url = URL.parse(target);
  if (url === null) return false;
  // Empty for a URL without a path whose scheme is not http.
  request.url = (url.pathname || '/') + url.search;
  if (headers.host !== undefined) headers.host = url.host;
  return true;
}
