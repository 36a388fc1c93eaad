import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Deadline } from '../../ports/deadline.ts';
import { Problem, problemBody } from '../../problem.ts';
import { PROBLEM_TYPE } from '../answer.ts';
import { requestTooSlow, unknownTransferCoding } from '../refusals.ts';
import { readTrace } from '../trace.ts';
import type { Connections } from './connections.ts';
import { spreadOverTurns } from './spread-over-turns.ts';

/** Milliseconds that a client has to read a refusal before its socket is destroyed. Node would wait without limit. */
const LINGER = 1_000;
/** Number of late connections that are refused in one turn of the event loop; each takes about 0.2 ms. */
const LATE_AT_ONCE = 16;
/** The first byte of a TLS connection (content type "handshake", RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

/** The functions that refuse clients from which Node got no request that the application can answer. */
export interface SocketRefusals {
  /** Sends a problem as HTTP answer on a socket, closes the socket, and writes a log line. */
  refuse(socket: Duplex, problem: Problem): void;
  /** Refuses a socket on which Node found invalid or late data. A listener for the event `clientError` of a server. */
  refuseClientError(error: ClientError, socket: Duplex): void;
}

/** `reason` is the text of Node's parser. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly reason?: string };

/**
 * Returns functions that refuse clients of one server.
 *
 * @param headers - headers of every refusal
 * @param connections - the connections of the server: nothing is written to a socket while an answer is sent on it
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

/**
 * Returns the problem for data that Node's HTTP parser refused: 431 for too large headers, 408 for a late request, 501 for
 * a transfer coding that is not `chunked`, else 400.
 *
 * @param code - Node's error code
 */
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
