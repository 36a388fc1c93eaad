import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Problem, problemBody } from '../../problem.ts';
import { readTrace } from '../trace.ts';
import { boundConnections } from './connections.ts';
import { inTurns } from './in-turns.ts';

/**
 * Options of Node's HTTP server: timeouts in milliseconds, and the maximum size of the headers in bytes
 * (reliability.md, "Bounded").
 */
const LIMITS = {
  headersTimeout: 5_000,
  // Long enough for the slowest upload. Other bodies have a shorter timeout (http/koa-body.ts).
  requestTimeout: 125_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // A request without Host is refused in http/host.ts: Node's own refusal has no headers and no body.
  requireHostHeader: false,
};

/**
 * Default limits of the connections (`ConnectionLimits`). `keepAliveTimeout`: maximum number of milliseconds between
 * two requests on one connection.
 */
const CONNECTIONS = { most: 2_048, requests: 1_000, idleTimeout: 20_000, keepAliveTimeout: 5_000 };
/**
 * Milliseconds within which the remaining part of a request must arrive after its answer was sent; then the connection
 * is closed.
 */
const REST_TIMEOUT = 2_000;
/** Milliseconds that a client has to read a refusal before its socket is destroyed. Node would wait without limit. */
const LINGER = 1_000;
/** Number of late connections that are refused in one turn of the event loop; each takes about 0.2 ms. */
const LATE_AT_ONCE = 16;
/** Milliseconds that a new connection has to send its first request after the server stopped listening. */
const ARRIVAL_TIME = 250;

/** An HTTP server with limits on requests and connections, and a graceful stop. */
export interface BoundedServer {
  readonly server: Server;
  /**
   * Stops the server gracefully. For the first `notice` milliseconds the server still accepts connections, and answers
   * with `Connection: close`. Then it stops listening and finishes the requests in progress. Resolves when all
   * connections are closed. Connections that are still open `timeout` milliseconds after the call are cut.
   */
  drain(timeout: number, notice: number): Promise<void>;
}

/**
 * Returns an HTTP server that passes requests to `listener`, with limits on requests and connections. It answers
 * invalid HTTP with a problem (RFC 9457).
 *
 * @param headers - headers of answers that do not come from `listener`
 * @param limits - replaces some of the default connection limits
 */
export function createServer(
  listener: RequestListener,
  headers: Record<string, string>,
  logger: Logger,
  limits: Partial<typeof CONNECTIONS> = {},
): BoundedServer {
  const { keepAliveTimeout, ...bounds } = { ...CONNECTIONS, ...limits };
  const refused = new WeakSet<Duplex>();
  let leaving = false;
  const answer: RequestListener = (request, response) => {
    const { socket } = request;
    if (isFramedTwice(request)) {
      refuse(socket, new Problem('ongeldig-verzoek', 'HTTP/1.0 heeft geen Transfer-Encoding.'));
      return;
    }
    if (leaving) response.setHeader('Connection', 'close');
    if (hasBody(request))
      response.once('finish', () => {
        if (request.complete) return;
        globalThis
          .setTimeout(() => {
            if (!request.complete) socket.destroy();
          }, REST_TIMEOUT)
          .unref();
      });
    listener(request, response);
  };
  const counted: RequestListener = (request, response) =>
    connections.take(request, response, () => answer(request, response));
  const server = createHttpServer({ ...LIMITS, keepAliveTimeout }, counted);
  const connections = boundConnections(server, bounds);
  // A request with an unknown `Expect` is handled as usual (RFC 9110, 10.1.1).
  server.on('checkExpectation', counted);
  server.on('connect', (_, socket) =>
    refuse(socket, new Problem('methode-niet-toegestaan', 'Dit is geen proxy.', { headers: { Allow: 'GET' } })),
  );
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // More invalid data on a socket that has been refused already.
    if (refused.has(socket)) return;
    // A client that uses TLS on this port sees only a protocol error, so the cause is logged here.
    if (error.rawPacket?.[0] === TLS_HANDSHAKE)
      logger.warn('this port speaks http, and was called with https; write http:// in the address');
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      // Nothing more is read: a request that arrives after all would get two answers.
      (socket as Socket).pause();
      refuseLate(socket);
    } else refuseUnreadable(socket, error.code);
  });
  /**
   * Refuses a late connection with 408, a few connections in each turn of the event loop. Node reports all late
   * connections in one step, once a second, and refusing thousands of them in that step would stop the process for a
   * second.
   */
  const refuseLate = inTurns(LATE_AT_ONCE, (socket: Duplex) => refuseUnreadable(socket, 'ERR_HTTP_REQUEST_TIMEOUT'));

  function refuseUnreadable(socket: Duplex, code: string | undefined): void {
    // While an answer is being sent nothing else may be written to the socket.
    if (!socket.writable || connections.isAnswering(socket)) socket.destroy();
    else refuse(socket, unreadable(code));
  }

  function refuse(socket: Duplex, problem: Problem): void {
    refused.add(socket);
    const { requestId, traceId } = readTrace(undefined);
    logger.info({ requestId, traceId, status: problem.status, problem: problem.code });
    const body = JSON.stringify(problemBody(problem, requestId, traceId));
    const all = {
      ...headers,
      ...problem.extras.headers,
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    // A socket that is closed with unread data is reset, and the client would not see the answer.
    socket.resume();
    socket.end(`HTTP/1.1 ${problem.status} Refused\r\n${head.join('')}\r\n${body}`);
    const timer = globalThis.setTimeout(() => socket.destroy(), LINGER);
    socket.once('close', () => clearTimeout(timer));
  }

  return {
    server,
    async drain(timeout, notice) {
      leaving = true;
      const until = performance.now() + timeout;
      // `Connection: close` in an answer ends a connection without losing a request that the client is just sending.
      if (notice > 0) {
        await setTimeout(notice);
        // The HTTP server's `close` also cuts new connections whose first request is just arriving, so stop listening
        // first.
        NetServer.prototype.close.call(server);
        await setTimeout(ARRIVAL_TIME);
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Sockets without a whole request are closed as well: they must not delay the stop.
      const sweep = setInterval(() => {
        if (connections.busy() === 0 || performance.now() > until) server.closeAllConnections();
        else server.closeIdleConnections();
      }, 50);
      await closed;
      clearInterval(sweep);
    },
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Returns true for an HTTP/1.0 request with `Transfer-Encoding`. HTTP/1.0 does not have that header, so such a request
 * can hide a second one from an old proxy (request smuggling; RFC 9112, 6.1).
 */
const isFramedTwice = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/** The first byte of a TLS connection (content type "handshake", RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

/**
 * Returns the problem for data that Node's HTTP parser refused: 431 for too large headers, 408 for a late request, else
 * 400.
 *
 * @param code - Node's error code
 */
function unreadable(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('kop-te-groot', 'URL en kopregels mogen samen ten hoogste 16 KiB zijn.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.');
    default:
      return new Problem('ongeldig-verzoek', 'Dit is geen HTTP-verzoek dat wij kunnen lezen.');
  }
}
