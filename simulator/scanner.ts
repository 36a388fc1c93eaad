import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { Listener } from './listener.ts';

/** The harmless file that every scanner finds (eicar.org), in two halves so that none finds it here. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** ClamAV's daemon, as far as INSTREAM goes: it knows one virus. */
export async function listenAsClamd(port: number): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    converse(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `clamd://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function converse(socket: Socket): Promise<void> {
  let left = Buffer.alloc(0);
  let isOpen = false;
  let isFound = false;
  /** The end of what was seen, in which the signature may begin. */
  let end = '';
  for await (const chunk of socket) {
    left = Buffer.concat([left, chunk]);
    if (!isOpen) {
      const stop = left.indexOf(0);
      if (stop === -1) continue;
      if (left.toString('latin1', 0, stop) !== 'zINSTREAM') {
        socket.end('UNKNOWN COMMAND\0');
        return;
      }
      left = left.subarray(stop + 1);
      isOpen = true;
    }
    while (left.length >= 4) {
      const length = left.readUInt32BE(0);
      if (length === 0) {
        socket.end(isFound ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
        return;
      }
      if (left.length < 4 + length) break;
      const seen = end + left.toString('latin1', 4, 4 + length);
      isFound ||= seen.includes(EICAR);
      end = seen.slice(-EICAR.length);
      left = left.subarray(4 + length);
    }
  }
}
