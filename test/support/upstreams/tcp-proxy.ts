import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../upstreams/scripted-server.ts';

/** A TCP proxy in front of a server, which can break connections as a network would. */
export interface TcpProxy {
  /** URL of the server through the proxy. */
  readonly url: string;
  /** Returns the number of connections that clients have made to the proxy. */
  readonly connectionCount: () => number;
  /** Resets all connections, and each new one until `restore`, as when the server is down. */
  cut(): void;
  /** Keeps connections open but forwards nothing until `restore`, as when a network drops packets. */
  silence(): void;
  /** Forwards data again. What was sent during `silence` is lost. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy for the server in this URL. It listens on a free port. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const behind = Number(target.port);
  let state: 'open' | 'cut' | 'silent' = 'open';
  const sockets = new Set<Socket>();
  let made = 0;
  const known = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((near) => {
    made += 1;
    known(near);
    if (state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = known(connect(behind, '127.0.0.1'));
    near.on('data', (chunk) => state === 'open' && far.write(chunk)).on('close', () => far.destroy());
    far.on('data', (chunk) => state === 'open' && near.write(chunk)).on('close', () => near.destroy());
  });
  target.port = new URL(await listen(server)).port;
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: target.href,
    connectionCount: () => made,
    cut() {
      state = 'cut';
      reset();
    },
    silence() {
      state = 'silent';
    },
    restore() {
      state = 'open';
    },
    close() {
      reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
