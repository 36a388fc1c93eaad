import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Listener } from '../../transport/listener.ts';
import type { CallOutcome } from '../../worlds/faults.ts';
import { createFinder, LETTER, VERDICT } from './verdict.ts';

const WELL: CallOutcome = { delay: 0, fault: null };

/** ClamAV's daemon, as far as INSTREAM goes: it knows one virus. */
export async function listenAsClamd(port: number, draw: () => CallOutcome = () => WELL): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    converse(socket, draw()).catch(() => socket.destroy());
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

async function converse(socket: Socket, { delay, fault }: CallOutcome): Promise<void> {
  if (fault?.kind === 'reset' || fault?.kind === 'refused') {
    socket.resetAndDestroy();
    return;
  }
  const verdict = await read(socket);
  if (verdict === null) return;
  if (delay > 0) await setTimeout(delay);
  switch (fault?.kind) {
    case undefined:
      socket.end(`${verdict}\0`);
      return;
    case 'hang':
      return;
    case 'lost':
      socket.resetAndDestroy();
      return;
    case 'cut':
      socket.end(verdict.slice(0, verdict.length / 2));
      return;
    case 'drip':
      for (const letter of verdict) {
        socket.write(letter);
        await setTimeout(LETTER);
      }
      return;
    default:
      socket.end('INSTREAM size limit exceeded. ERROR\0');
  }
}

/** What it finds in a stream, or null: the stream ended before it was whole, or it was none. */
async function read(socket: Socket): Promise<string | null> {
  let left = Buffer.alloc(0);
  let isOpen = false;
  const finder = createFinder();
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    left = Buffer.concat([left, chunk]);
    if (!isOpen) {
      const stop = left.indexOf(0);
      if (stop === -1) continue;
      if (left.toString('latin1', 0, stop) !== 'zINSTREAM') {
        socket.end('UNKNOWN COMMAND\0');
        return null;
      }
      left = left.subarray(stop + 1);
      isOpen = true;
    }
    while (left.length >= 4) {
      const length = left.readUInt32BE(0);
      if (length === 0) return finder.isFound() ? VERDICT.infected : VERDICT.clean;
      if (left.length < 4 + length) break;
      finder.see(left.toString('latin1', 4, 4 + length));
      left = left.subarray(4 + length);
    }
  }
  return null;
}
