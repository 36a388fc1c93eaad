import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Deadline, hasJustPaused, runningTime } from '../../ports/deadline.ts';
import type { ConnectionStats } from '../../ports/meters.ts';
import { Problem, problemBody } from '../../problem.ts';
import { PROBLEM_TYPE, readTrace } from '../exchange.ts';
import { requestTooSlow, unknownTransferCoding } from '../problems.ts';

// On one connection (RFC 9112, 9.3.2).
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

export interface Connections {
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
  /** The headers of an answer have been sent, and it has not ended. */
  isAnswering(socket: Duplex): boolean;
  /** A busy connection has a request whose answer has not been sent completely. */
  stats(): ConnectionStats;
}

export interface ConnectionLimits {
  readonly max: number;
  /** On one connection; the last answer has `Connection: close`. */
  readonly requests: number;
  /**
   * Milliseconds without traffic after which an idle connection is closed, and one whose client does not read its
   * answer reset.
   */
  readonly idleTimeout: number;
}

/**
 * Passes requests to `answer`, one at a time on each connection. At the limit, a new connection closes the one that has
 * been idle for longest; when none is idle, the new one is closed, and from `READ_TIME` later a new one closes the
 * oldest whose client still has not read a complete answer.
 */
export function limitConnections(
  server: Server,
  { max, requests, idleTimeout }: ConnectionLimits,
  answer: (response: ServerResponse) => void,
): Connections {
  const open = new Map<Duplex, Connection>();
  // Idle for longest first.
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

  // False when none may be closed.
  function makeRoom(): boolean {
    const [idlest] = idle;
    if (idlest !== undefined) {
      idlest.destroy();
      forget(idlest);
      return true;
    }
    const now = runningTime();
    for (const [socket, connection] of open) {
      // What waits does not fit in the kernel's send buffer: the client reads slowly.
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

/** Refuse clients from which Node got no request that the application can answer. */
export interface SocketRefusals {
  /** Sends a problem as HTTP answer, closes the socket, and writes a log line. */
  refuse(socket: Duplex, problem: Problem): void;
  /** For the event `clientError` of a server: invalid or late data. */
  refuseClientError(error: ClientError, socket: Duplex): void;
}

/** `reason` is the text of Node's parser. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly reason?: string };

/**
 * @param headers - of every refusal
 *
 * @param connections - of the server: nothing is written to a socket while an answer is sent on it
 */
export function createSocketRefusals(
  headers: Record<string, string>,
  logger: Logger,
  connections: Connections,
): SocketRefusals {
  const refused = new WeakSet<Duplex>();
  // Node reports all late connections in one step, once a second. Refusing thousands of them in that step would stop
  // the process for a second.
  const refuseLate = spreadOverTurns(LATE_AT_ONCE, (socket: Duplex) =>
    refuseUnreadable(socket, 'ERR_HTTP_REQUEST_TIMEOUT'),
  );

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
    refuseClientError(error, socket) {
      // More invalid data on a socket that has been refused already.
      if (refused.has(socket)) return;
      // A client that uses TLS on this port sees only a protocol error, so the cause is logged here.
      if (error.rawPacket?.[0] === TLS_HANDSHAKE)
        logger.warn('this port speaks http, and was called with https; write http:// in the address');
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
  let isPlanned = false;
  const plan = (): void => {
    isPlanned = waiting.length > 0;
    if (isPlanned) setImmediate(turn);
  };
  const turn = (): void => {
    waiting.splice(0, max).forEach(work);
    plan();
  };
  return (item) => {
    waiting.push(item);
    if (!isPlanned) plan();
  };
}
