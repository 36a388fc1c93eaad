import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP connection to a server that a test can break. */
export interface Line {
  /** The URL of the server, by way of this line. */
  readonly url: string;
  /** How many connections were made to it so far. */
  readonly made: () => number;
  /** Resets every connection, and each new one: the server is away. */
  cut(): void;
  /** Passes nothing on any more: what is sent gets no answer, as when a network drops packets. */
  silence(): void;
  /** Passes new connections on again. */
  restore(): void;
  close(): Promise<void>;
}

/** Opens a line to the server in a URL, on loopback. */
export async function lineTo(url: string): Promise<Line> {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.port = String((server.address() as AddressInfo).port);
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: target.href,
    made: () => made,
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
