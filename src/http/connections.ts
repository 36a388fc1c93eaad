import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Pipelined requests that wait on one connection for the answers before theirs (RFC 9112, 9.3.2). No browser and no proxy sends any. */
const PIPELINED = 16;

interface Connection {
  /** Requests so far. */
  count: number;
  current: ServerResponse | null;
  readonly waiting: [ServerResponse, answer: () => void][];
}

/** The connections of one server, and what each of them is doing. */
export interface Connections {
  /** Answers a request when all answers before it on the same connection have gone. */
  take(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** True while an answer is being written to this socket. */
  isAnswering(socket: Duplex): boolean;
  /** Connections with a request that has no whole answer yet. */
  busy(): number;
}

export interface ConnectionLimits {
  /** Connections at the same time. */
  readonly most: number;
  /** Requests on one connection; the last answer says `Connection: close`. */
  readonly requests: number;
  /** Milliseconds in which a client takes nothing of its answer, or has sent nothing at all. */
  readonly idleTimeout: number;
}

/**
 * Bounds what the clients of a server can hold, one answer at a time on each connection. A new connection above `most` closes the one that has been
 * idle longest, so that sockets which send nothing keep nobody else out; it is closed itself when none is idle.
 */
export function boundConnections(server: Server, { most, requests, idleTimeout }: ConnectionLimits): Connections {
  const open = new Map<Duplex, Connection>();
  /** Without a request; the one that has been so for longest comes first. */
  const idle = new Set<Duplex>();

  server.timeout = idleTimeout;

  server.on('connection', (socket) => {
    // Node takes its own listener away from a socket that it hands over; an error without one ends the process.
    socket.on('error', () => undefined);
    if (open.size >= most) {
      const [oldest = socket] = idle;
      oldest.destroy();
      forget(oldest);
      if (oldest === socket) return;
    }
    open.set(socket, { count: 0, current: null, waiting: [] });
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });

  server.on('timeout', (socket) => {
    if (idle.has(socket)) socket.destroy();
    // It is for us to go on: nothing waits to be taken.
    else if (socket.writableLength === 0) socket.setTimeout(idleTimeout);
    // A reset frees what the kernel keeps for this client.
    else socket.resetAndDestroy();
  });

  function forget(socket: Duplex): void {
    open.delete(socket);
    idle.delete(socket);
  }

  function begin(socket: Socket, connection: Connection, response: ServerResponse, answer: () => void): void {
    connection.count += 1;
    connection.current = response;
    idle.delete(socket);
    if (connection.count >= requests) response.setHeader('Connection', 'close');
    response.once('close', () => {
      connection.current = null;
      // Nothing is done of which the answer could not be sent.
      if (isLast(response)) connection.waiting.length = 0;
      const next = connection.waiting.shift();
      if (next !== undefined && !socket.destroyed) begin(socket, connection, ...next);
      else if (open.has(socket)) idle.add(socket);
    });
    answer();
  }

  return {
    take({ socket }, response, answer) {
      const connection = open.get(socket);
      if (connection === undefined) socket.destroy();
      else if (connection.current === null) begin(socket, connection, response, answer);
      else if (connection.waiting.length < PIPELINED) connection.waiting.push([response, answer]);
      else socket.resetAndDestroy();
    },
    isAnswering: (socket) => open.get(socket)?.current?.headersSent === true,
    busy: () => open.size - idle.size,
  };
}

/** True when the connection ends with this answer. */
const isLast = (response: ServerResponse): boolean =>
  !response.shouldKeepAlive || String(response.getHeader('connection')).toLowerCase() === 'close';
