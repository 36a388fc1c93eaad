/**
 * Servers between the service and an upstream that fail in every way that the table of faults names. They use real
 * sockets.
 */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { Worker } from 'node:worker_threads';
import { request } from 'undici';
import { CERTIFICATE, KEY } from './certificate.ts';
import type { Fault } from './table.ts';

/** A host name that no DNS has. Its first label is longer than 63 characters, so that no server needs to be asked. */
const NO_HOST = `${'no-such-host-'.repeat(5)}.invalid`;

export interface FailingUpstream {
  /** Origin (scheme, host and port) with which the service calls the upstream. */
  readonly origin: string;
  /** True when the upstream can work again at the same origin. */
  readonly canRecover: boolean;
  recover(): Promise<void>;
  close(): Promise<void>;
}

type Fails = (response: ServerResponse, socket: Socket) => unknown;

const json = (response: ServerResponse, status: number, text: string, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
const sendHead = (response: ServerResponse, headers = {}) =>
  response.writeHead(200, { 'content-type': response.req.headers.accept, ...headers });
const HTML = '<!doctype html><title>Onderhoud</title>';

/** Answers to a complete request, by fault. */
const ANSWERS: Partial<Record<Fault, Fails>> = {
  F5: (_, socket) => socket.end(),
  F6: (_, socket) => socket.resetAndDestroy(),
  F7: () => undefined,
  F8(response, socket) {
    sendHead(response, { 'content-length': '1000' });
    response.write(' ');
    const drip = setInterval(() => response.write(' '), 900);
    socket.once('close', () => clearInterval(drip));
  },
  F9(response, socket) {
    sendHead(response, { 'transfer-encoding': 'chunked' }).write('[{');
    setTimeout(() => socket.destroy(), 50);
  },
  F10(response, socket) {
    sendHead(response, { 'content-length': '100' }).write('[]');
    setTimeout(() => socket.end(), 50);
  },
  F11: (response) => json(response, 500, '{"detail":"ORA-00942 at 10.0.0.7"}'),
  F12: (response) => json(response, 503, '{}', { 'retry-after': '7' }),
  F13: (response) => json(response, 429, '{}', { 'retry-after': '7' }),
  F14: (response) => json(response, 401, '{"detail":"client secret expired"}'),
  F15: (response) => response.writeHead(404, { 'content-type': 'text/html' }).end(HTML),
  F16: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(HTML),
  F17: (response) => json(response, 200, '[{"naam":"Sanne'),
  F18: (response) => json(response, 200, '{"results":null,"naam":7}'),
  F19(response, socket) {
    sendHead(response, { 'content-length': String(100 * 1024 * 1024) });
    const piece = Buffer.alloc(1024 * 1024, '[');
    const pour = (left: number): void => {
      if (left > 0 && !socket.destroyed) response.write(piece, () => pour(left - 1));
    };
    pour(100);
  },
  F20: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/elders' }).end(),
};

/** Faults in which the upstream handles the request before its answer fails. */
const RECEIVED_FIRST: ReadonlySet<Fault> = new Set([
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F16',
  'F17',
  'F18',
  'F19',
  'F20',
]);

async function listening<Kind extends TcpServer>(server: Kind): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function forward(source: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const { host: _, connection: __, 'transfer-encoding': ___, ...kept } = headers;
  const answer = await request(source + url, {
    method: method as 'GET',
    headers: kept,
    ...(body.length > 0 && { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
}

/**
 * Starts a server with this fault in front of the upstream at `source` (an origin). With `failsOnlyWrites`, only
 * requests that submit data have the fault.
 */
export async function startFailingHttpUpstream(
  source: string,
  fault: Fault,
  failsOnlyWrites = false,
): Promise<FailingUpstream> {
  const fixed = { canRecover: false, recover: async () => undefined, close: async () => undefined };
  if (fault === 'F1') return { ...fixed, origin: 'http://127.0.0.1:1' };
  if (fault === 'F2') return { ...fixed, origin: `http://${NO_HOST}` };
  if (fault === 'F3') return { ...fixed, origin: `http://127.0.0.1:${(await startUnresponsiveServer()).port}` };
  if (fault === 'F4') {
    const server = createTlsServer({ key: KEY, cert: CERTIFICATE });
    return { ...fixed, origin: `https://127.0.0.1:${await listening(server)}`, close: () => closed(server) };
  }
  let failing = true;
  const server = createHttpServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const hit = failing && (!failsOnlyWrites || WRITE_PATH.test(incoming.url ?? ''));
    const answer = hit && !RECEIVED_FIRST.has(fault) ? null : await forward(source, incoming, body);
    if (hit) ANSWERS[fault]?.(response, incoming.socket);
    else response.writeHead(answer?.status ?? 500, answer?.headers).end(answer?.body);
  });
  const port = await listening(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    canRecover: true,
    async recover() {
      failing = false;
    },
    close: () => closed(server),
  };
}

const WRITE_PATH = /^\/(zaken|brieven\/verzendingen)$/;

/** Starts a TCP server with this fault in front of the virus scanner, which does not use HTTP. */
export async function startFailingScanner(
  source: { host: string; port: number },
  fault: Fault,
): Promise<FailingUpstream> {
  const fixed = { canRecover: false, recover: async () => undefined, close: async () => undefined };
  if (fault === 'F1') return { ...fixed, origin: 'clamd://127.0.0.1:1' };
  if (fault === 'F2') return { ...fixed, origin: `clamd://${NO_HOST}:3310` };
  if (fault === 'F3') return { ...fixed, origin: `clamd://127.0.0.1:${(await startUnresponsiveServer()).port}` };
  let failing = true;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (!failing) {
      socket
        .pipe(connect(source))
        .on('error', () => undefined)
        .pipe(socket);
      return;
    }
    socket.once('data', () => {
      if (fault === 'F5') socket.destroy();
      if (fault === 'F6') socket.resetAndDestroy();
      if (fault === 'F9') socket.end('stream: O');
      if (fault === 'F16') socket.end(`${HTML}\0`);
    });
  });
  const port = await listening(server);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    origin: `clamd://127.0.0.1:${port}`,
    canRecover: true,
    async recover() {
      failing = false;
    },
    close,
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

let one: Promise<{ port: number; stop: () => Promise<unknown> }> | undefined;

/**
 * Returns a server that listens and accepts no connection: its thread is blocked, and waiting connections fill its
 * queue. All tests of a file share it.
 */
function startUnresponsiveServer() {
  one ??= (async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
       const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
         parentPort.postMessage(server.address().port);
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       });`,
      { eval: true },
    );
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await new Promise((resolve) => setTimeout(resolve, 100));
    return {
      port,
      async stop() {
        for (const socket of waiting) socket.destroy();
        await worker.terminate();
      },
    };
  })();
  return one;
}

export const stopUnresponsiveServer = async (): Promise<void> => {
  await (await one)?.stop();
};
