import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Problem, problemBody } from '../problem.ts';
import { boundConnections } from './connections.ts';
import { readTrace } from './trace.ts';

/** What one slow client can hold (reliability.md, "Bounded"). Node's defaults are minutes. */
const LIMITS = {
  headersTimeout: 5_000,
  // For the slowest upload; what reads a body of another kind is quicker to lose patience (http/body.ts).
  requestTimeout: 125_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // A request without Host is ours to answer (http/host.ts): Node's own refusal has no headers and no body.
  requireHostHeader: false,
};

/** `keepAliveTimeout`: milliseconds between two requests. */
const CONNECTIONS = { most: 2_048, requests: 1_000, idleTimeout: 20_000, keepAliveTimeout: 5_000 };
/** Milliseconds in which the rest of a request may still arrive when its answer has gone. */
const REST = 2_000;
/** Milliseconds in which a client may read why it was refused. Node lets it keep its half of the connection open for ever. */
const LINGER = 1_000;
/** Milliseconds in which the request of a connection that was just taken arrives. */
const ARRIVING = 250;

export interface BoundedServer {
  readonly server: Server;
  /**
   * Tells every client with its answer that this connection ends, for `notice` milliseconds in which new ones are still welcome;
   * then stops listening and lets requests under way finish. All of it takes at most `patience` milliseconds.
   */
  drain(patience: number, notice: number): Promise<void>;
}

/**
 * An HTTP server for an app. Its connections are bounded (connections.ts), and what never became a request is answered with a
 * problem body as well. `limits`: other than the usual ones.
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
    if (leaving) response.setHeader('Connection', 'close');
    response.once('finish', () => {
      if (request.complete) return;
      globalThis
        .setTimeout(() => {
          if (!request.complete) socket.destroy();
        }, REST)
        .unref();
    });
    listener(request, response);
  };
  const counted: RequestListener = (request, response) =>
    connections.take(request, response, () => answer(request, response));
  const server = createHttpServer({ ...LIMITS, keepAliveTimeout }, counted);
  const connections = boundConnections(server, bounds);
  // An expectation that nobody knows is no reason to refuse (RFC 9110, 10.1.1).
  server.on('checkExpectation', counted);
  server.on('connect', (_, socket) =>
    refuse(socket, new Problem('methode-niet-toegestaan', 'Dit is geen proxy.', { headers: { Allow: 'GET' } })),
  );
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // More of what could not be read; the answer is on its way.
    if (refused.has(socket)) return;
    // The caller hears something about a protocol, if anything; only here is it known what went wrong.
    if (error.rawPacket?.[0] === TLS_HANDSHAKE)
      logger.warn('this port speaks http, and was called with https; write http:// in the address');
    // Nothing may be written into the middle of an answer.
    if (error.code === 'ECONNRESET' || !socket.writable || connections.isAnswering(socket)) socket.destroy();
    else refuse(socket, unreadable(error.code));
  });

  /** Answers with a problem, and closes the socket. */
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
    // A socket that is closed with something unread is reset, and the client would not see the answer.
    socket.resume();
    socket.end(`HTTP/1.1 ${problem.status} Refused\r\n${head.join('')}\r\n${body}`);
    const timer = globalThis.setTimeout(() => socket.destroy(), LINGER);
    socket.once('close', () => clearTimeout(timer));
  }

  return {
    server,
    async drain(patience, notice) {
      leaving = true;
      const until = performance.now() + patience;
      // A connection that is closed while a client sends on it is a failed request; an answer that says so is none.
      if (notice > 0) {
        await setTimeout(notice);
        // Node's own `close` cuts connections on which the first request is just arriving, so only the door is closed at first.
        NetServer.prototype.close.call(server);
        await setTimeout(ARRIVING);
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Sockets that never sent a whole request count as nothing: they would hold up the end for nobody.
      const sweep = setInterval(() => {
        if (connections.busy() === 0 || performance.now() > until) server.closeAllConnections();
        else server.closeIdleConnections();
      }, 50);
      await closed;
      clearInterval(sweep);
    },
  };
}

/** The first byte of whoever speaks TLS. */
const TLS_HANDSHAKE = 0x16;

/** What Node's parser could not read, by its code. */
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
