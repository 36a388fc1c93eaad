import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** The version of HTTP, such as `1.1` or `2.0`. */
  readonly version: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The bytes of the body. (`body` is its text.) */
  readonly bytes: Buffer;
}

export interface ScriptedServer {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Answers a request. A test may replace this function. */
  answer: (request: ReceivedRequest, response: ServerResponse) => unknown;
  close(): Promise<void>;
}

/**
 * Starts a server on a free port that calls `answer` for each request. With `tls` it is an HTTPS server on `localhost`.
 * With `speaksHttp2` that server also speaks HTTP/2.
 */
export async function startScriptedServer(
  answer: ScriptedServer['answer'],
  tls?: ServerOptions,
  { speaksHttp2 = false } = {},
): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(incoming).catch(() => null);
    // The caller closed the connection, so no answer can be sent.
    if (bytes === null) return;
    const request = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      version: incoming.httpVersion,
      headers: incoming.headers,
      body: bytes.toString(),
      bytes,
    };
    received.push(request);
    scripted.answer(request, response);
  };
  const server =
    tls === undefined
      ? createServer(listener)
      : speaksHttp2
        ? createHttp2Server(tls, listener)
        : createTlsServer(tls, listener);
  const url = await listen(server);
  const scripted: ScriptedServer = {
    url: tls === undefined ? url : url.replace('http://127.0.0.1', 'https://localhost'),
    received,
    answer,
    close: () => closeServer(server),
  };
  return scripted;
}

/** Returns a server that speaks HTTP/1.1 and HTTP/2. Its `closeAllConnections` closes the connections of both. */
function createHttp2Server(tls: ServerOptions, listener: RequestListener): Http2SecureServer & Closable {
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({ ...tls, allowHTTP1: true } as SecureServerOptions, listener as never);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  return Object.assign(server, {
    closeAllConnections: () => {
      for (const session of sessions) session.destroy();
    },
  });
}

interface Closable {
  closeAllConnections(): void;
}

/** Makes a server listen on a free port, and returns its URL. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Closes a server and all its connections. */
export const closeServer = (server: Server & Closable): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
