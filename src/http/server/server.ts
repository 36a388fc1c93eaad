import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Deadline, hasJustPaused, runningTime, withLastPause } from '../../ports/deadline.ts';
import type { ConnectionStats } from '../../ports/meters.ts';
import { TIMING } from '../../ports/timing.ts';
import { Problem, problemBody } from '../../problem.ts';
import { PROBLEM_TYPE, readTrace } from '../exchange.ts';
import { requestTooSlow, unknownTransferCoding } from '../problems.ts';

// Timeouts in milliseconds, and the maximum size of the headers in bytes (reliability.md, "Timeouts and limits").
const LIMITS = {
  // Long enough for the slowest upload. Other bodies have a shorter timeout (http/request/body.ts).
  requestTimeout: 125_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // A request without Host is refused in http/middleware/headers.ts: Node's own refusal has no headers and no body.
  requireHostHeader: false,
};

const CONNECTIONS = {
  max: 2_048,
  // On one connection; the last answer has `Connection: close`.
  requests: 1_000,
  // Milliseconds without traffic after which an idle connection is closed, and one whose client does not read its answer
  // reset.
  idleTimeout: 20_000,
  // Milliseconds between two requests on one connection.
  keepAliveTimeout: 5_000,
};
// Milliseconds for the first request of a connection that is new when the server stops.
const ARRIVAL_TIMEOUT = 250;
// Milliseconds in which work can end after the last connections were cut.
const END_TIMEOUT = 400;

export interface BoundedServer {
  readonly server: Server;
  connections(): ConnectionStats;
  /**
   * Stops the server gracefully. From now on answers have `Connection: close`, also those to requests in progress. For
   * `notice` milliseconds it still accepts connections. Then it finishes the requests in progress, also those of clients
   * that have left. Connections that are open `timeout` milliseconds after the call are cut; the work then has
   * `END_TIMEOUT` to end.
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
  // The work for requests, which can go on after the connection is closed.
  const work = new Set<Promise<unknown>>();
  const answer = (response: ServerResponse): void => {
    const request = response.req;
    const problem = framingProblem(request) ?? targetProblem(request);
    if (problem !== null) {
      refuse(request.socket, problem);
      return;
    }
    if (isDraining) response.setHeader('Connection', 'close');
    if (hasBody(request)) response.once('finish', () => awaitRestOfBody(request, requestRest));
    const handled: Promise<unknown> = Promise.resolve(handler(request, response))
      .catch(() => undefined)
      .then(() => work.delete(handled));
    work.add(handled);
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
      connections.endAfterAnswer();
      const late = sleep(timeout + END_TIMEOUT, undefined, { ref: false });
      await closeServer(server, connections, timeout, notice);
      await Promise.race([Promise.all(work), late]);
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
// Node also takes `HTTP/2.0` and `HTTP/0.9` on the request line, which no client of these versions sends.
function framingProblem({ httpVersion, headers }: IncomingMessage): Problem | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return notReadable();
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

// Requests that wait for their turn on one connection (RFC 9112, 9.3.2).
const MAX_PIPELINED = 16;
// Milliseconds to read a complete answer, from when its connection is needed for another client.
const READ_TIME = 5_000;

interface Connection {
  // Handled or in progress since the connection was opened.
  count: number;
  // Null when the connection is idle.
  current: ServerResponse | null;
  // When (`runningTime()`) a new connection found that response complete but unread.
  unreadSince: number | null;
  // Responses to requests that wait for their turn.
  readonly waiting: ServerResponse[];
  // Called when the connection is idle again, after an answer that does not close it.
  atEnd: (() => void) | null;
}

interface Connections {
  /**
   * Passes a request to `answer` when the earlier answers on its connection have ended; never when the connection ends
   * first. Resets it instead when `MAX_PIPELINED` requests already wait on it.
   */
  take(response: ServerResponse): void;
  /**
   * The same for `refuse`, for invalid or late data. When these are in the body of a request, that request is not
   * answered.
   */
  refuseInTurn(socket: Duplex, refuse: () => void): void;
  /** Ends each busy connection with the answer in progress, unless its headers have been sent or more requests wait. */
  endAfterAnswer(): void;
  /** The headers of an answer have been sent, and it has not ended. */
  isAnswering(socket: Duplex): boolean;
  /** A busy connection has a request whose answer has not been sent completely. */
  stats(): ConnectionStats;
}

/**
 * Passes requests to `answer`, one at a time on each connection. At the limit, a new connection closes the one that has
 * been idle for longest; when none is idle, the new one is closed, and from `READ_TIME` later a new one closes the
 * oldest whose client still has not read a complete answer.
 */
function limitConnections(
  server: Server,
  { max, requests, idleTimeout }: Omit<typeof CONNECTIONS, 'keepAliveTimeout'>,
  answer: (response: ServerResponse) => void,
): Connections {
  const open = new Map<Duplex, Connection>();
  // Idle connections, the one that is idle for longest first.
  const idle = new Set<Duplex>();
  let refused = 0;

  server.timeout = idleTimeout;

  server.on('connection', (socket) => {
    // Node removes its own error listener from a socket of CONNECT or an upgrade; an error without listener ends the
    // process.
    socket.on('error', () => undefined);
    if (open.size >= max && !makeRoom()) {
      refused += 1;
      socket.destroy();
      return;
    }
    open.set(socket, { count: 0, current: null, unreadSince: null, waiting: [], atEnd: null });
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });

  server.on('timeout', (socket) => {
    // What arrived during the pause has not been read yet.
    if (hasJustPaused()) socket.setTimeout(socket.timeout ?? idleTimeout);
    else if (idle.has(socket)) socket.destroy();
    // The client has read everything so far; the service has not yet finished its answer.
    else if (socket.writableLength === 0) socket.setTimeout(idleTimeout);
    // A reset also frees the kernel's send buffer for this client.
    else socket.resetAndDestroy();
  });

  // Closes one connection for a new client; false when none may be closed.
  function makeRoom(): boolean {
    const [idlest] = idle;
    if (idlest !== undefined) {
      idlest.destroy();
      forget(idlest);
      return true;
    }
    const now = runningTime();
    for (const [socket, connection] of open) {
      // A connection with bytes that wait for the kernel's send buffer: its client reads slowly.
      if (!connection.current?.writableEnded || socket.writableLength === 0) continue;
      connection.unreadSince ??= now;
      if (now - connection.unreadSince < READ_TIME) continue;
      // A reset also frees that buffer.
      (socket as Socket).resetAndDestroy();
      forget(socket);
      return true;
    }
    return false;
  }

  function forget(socket: Duplex): void {
    open.delete(socket);
    idle.delete(socket);
  }

  function begin(socket: Socket, connection: Connection, response: ServerResponse): void {
    connection.count += 1;
    connection.current = response;
    idle.delete(socket);
    if (connection.count >= requests) response.setHeader('Connection', 'close');
    response.once('close', () => {
      connection.current = null;
      connection.unreadSince = null;
      // The connection ends: do not run requests whose answer cannot be sent.
      if (closesConnection(response)) {
        connection.waiting.length = 0;
        connection.atEnd = null;
      }
      const next = connection.waiting.shift();
      if (next !== undefined && !socket.destroyed) begin(socket, connection, next);
      else if (open.has(socket)) {
        idle.add(socket);
        connection.atEnd?.();
      }
    });
    answer(response);
  }

  return {
    take(response) {
      const { socket } = response.req;
      const connection = open.get(socket);
      if (connection === undefined) socket.destroy();
      else if (connection.current === null) begin(socket, connection, response);
      else if (connection.waiting.length < MAX_PIPELINED) connection.waiting.push(response);
      else socket.resetAndDestroy();
    },
    refuseInTurn(socket, refuse) {
      const connection = open.get(socket);
      if (connection?.waiting.at(-1)?.req.complete === false) connection.waiting.pop();
      if (connection?.current?.req.complete) connection.atEnd = refuse;
      else refuse();
    },
    endAfterAnswer() {
      for (const { current, waiting } of open.values())
        if (current?.headersSent === false && waiting.length === 0) current.setHeader('Connection', 'close');
    },
    isAnswering: (socket) => open.get(socket)?.current?.headersSent === true,
    stats: () => ({ idle: idle.size, busy: open.size - idle.size, max, refused }),
  };
}

export const closesConnection = (response: ServerResponse): boolean =>
  !response.shouldKeepAlive || String(response.getHeader('connection')).toLowerCase() === 'close';

// Milliseconds to read a refusal before the socket is destroyed. Node would wait without limit.
const LINGER = 1_000;
// Late connections refused in one turn of the event loop; each takes about 0.2 ms.
const LATE_AT_ONCE = 16;
// Content type "handshake" (RFC 8446, 5.1).
const TLS_HANDSHAKE = 0x16;
// The start of a connection with the PROXY protocol of HAProxy, version 1 or 2.
const PROXY_PROTOCOL = /^(PROXY |\r\n\r\n\0\r\nQUIT\n)/;

/** `reason` is the text of Node's parser. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly reason?: string };

// Refuse clients from which Node got no request that the application can answer.
function createSocketRefusals(headers: Record<string, string>, logger: Logger, connections: Connections) {
  const refused = new WeakSet<Duplex>();
  // Node reports all late connections in one step, once a second. Refusing thousands of them in that step would stop
  // the process for a second.
  const refuseLate = spreadOverTurns(LATE_AT_ONCE, (socket: Duplex) =>
    refuseUnreadable(socket, 'ERR_HTTP_REQUEST_TIMEOUT'),
  );

  // Sends a problem as HTTP answer, closes the socket, and writes a log line.
  function refuse(socket: Duplex, problem: Problem): void {
    refused.add(socket);
    const { requestId, traceId } = readTrace(undefined);
    logger.info({ requestId, traceId, status: problem.status, problem: problem.code });
    const body = JSON.stringify(problemBody(problem, requestId, traceId));
    const all = {
      ...headers,
      ...problem.extras.headers,
      Date: new Date().toUTCString(),
      'Content-Type': PROBLEM_TYPE,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    // A socket that is closed with unread data is reset, and the client would not see the answer.
    socket.resume();
    socket.end(`HTTP/1.1 ${problem.status} Refused\r\n${head.join('')}\r\n${body}`);
    const deadline = new Deadline(LINGER, () => socket.destroy());
    socket.once('close', () => deadline.cancel());
  }

  function refuseUnreadable(socket: Duplex, code: string | undefined, reason?: string): void {
    // While an answer is being sent nothing else may be written to the socket.
    if (!socket.writable || connections.isAnswering(socket)) socket.destroy();
    else refuse(socket, unreadable(code, reason));
  }

  return {
    refuse,
    // For the event `clientError` of a server: invalid or late data.
    refuseClientError(error: ClientError, socket: Duplex): void {
      // More invalid data on a socket that has been refused already.
      if (refused.has(socket)) return;
      // A client that uses TLS on this port sees only a protocol error, so the cause is logged here.
      if (error.rawPacket?.[0] === TLS_HANDSHAKE)
        logger.warn('this port speaks http, and was called with https; write http:// in the address');
      // So is this one: a balancer that sends it gets 400 for every request.
      if (PROXY_PROTOCOL.test(error.rawPacket?.toString('latin1', 0, 16) ?? ''))
        logger.warn('this port has no PROXY protocol; turn it off in the balancer (send-proxy)');
      if (error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      refused.add(socket);
      // Nothing more is read: a late request that arrives after all would get two answers.
      (socket as Socket).pause();
      connections.refuseInTurn(socket, () =>
        error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? refuseLate(socket)
          : refuseUnreadable(socket, error.code, error.reason),
      );
    },
  };
}

// 431 for too large headers, 408 for a late request, 501 for a transfer coding that is not `chunked`, else 400.
function unreadable(code: string | undefined, reason = ''): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('kop-te-groot', 'URL en kopregels mogen samen ten hoogste 16 KiB zijn.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTooSlow();
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // The parser has this code for a request with both headers as well.
      return reason.includes('Content-Length') ? notReadable() : unknownTransferCoding();
    default:
      return notReadable();
  }
}

const notReadable = (): Problem => new Problem('ongeldig-verzoek', 'Dit is geen HTTP-verzoek dat wij kunnen lezen.');

/** `work` is called later with each item, in order, at most `max` in one turn of the event loop. */
export function spreadOverTurns<Item>(max: number, work: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  const turn = (): void => {
    const items = waiting.splice(0, max);
    if (waiting.length > 0) setImmediate(turn);
    items.forEach(work);
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(turn);
  };
}
