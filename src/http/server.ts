import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, problemBody } from '../problem.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { readTrace } from './trace.ts';

/** Node's own timeouts are made for browsers of long ago; these bound what one slow client can hold (design.md, "Bounded"). */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

/** The listener for an app: bounded, and with a problem body also for what never became a request. */
export function createServer(listener: RequestListener): Server {
  const server = createHttpServer(LIMITS, listener);
  server.maxRequestsPerSocket = 10_000;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket));
  return server;
}

/** Bytes that Node could not read as a request: answered like everything else, and the socket closed. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('kop-te-groot', 'URL en kopregels mogen samen ten hoogste 16 KiB zijn.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.')
        : new Problem('ongeldig-verzoek', 'Dit is geen HTTP-verzoek dat wij kunnen lezen.');
  const { requestId, traceId } = readTrace(undefined);
  const body = JSON.stringify(problemBody(problem, requestId, traceId));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${REASONS[problem.status] ?? 'Error'}\r\n${head.join('')}\r\n${body}`);
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};
