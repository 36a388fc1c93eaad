import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_WORLD } from '../../people/directory.ts';
import { dripIntervalOf } from '../../transport/delivery.ts';
import { type CallOutcome, NO_FAULT } from '../../worlds/faults.ts';
import type { Worlds } from '../../worlds/index.ts';
import { createEicarDetector, VERDICT_DRIP_INTERVAL, VERDICTS } from './verdict.ts';

export interface ClamdListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a simulated clamd (ClamAV's daemon) on 127.0.0.1; port 0 means any free port. Rejects when the port is in use.
 * It detects only the EICAR test file. `draw` returns the delay and the fault for each connection.
 */
export async function listenAsClamd(port: number, draw: () => CallOutcome = () => NO_FAULT): Promise<ClamdListener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    respond(socket, draw()).catch(() => socket.destroy());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `clamd://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function respond(socket: Socket, { delay, fault }: CallOutcome): Promise<void> {
  if (fault?.kind === 'reset' || fault?.kind === 'refused') {
    socket.resetAndDestroy();
    return;
  }
  const verdict = await readVerdict(socket);
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
      for (const letter of `${verdict}\0`) {
        await setTimeout(dripIntervalOf(fault, VERDICT_DRIP_INTERVAL));
        socket.write(letter);
      }
      socket.end();
      return;
    default:
      socket.end('INSTREAM size limit exceeded. ERROR\0');
  }
}

/** Null when the connection ended before the end of the file, or when the command is unknown. */
async function readVerdict(socket: Socket): Promise<string | null> {
  let buffered = Buffer.alloc(0);
  let hasCommand = false;
  const detector = createEicarDetector();
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    buffered = Buffer.concat([buffered, chunk]);
    if (!hasCommand) {
      const stop = buffered.indexOf(0);
      if (stop === -1) continue;
      if (buffered.toString('latin1', 0, stop) !== 'zINSTREAM') {
        socket.end('UNKNOWN COMMAND\0');
        return null;
      }
      buffered = buffered.subarray(stop + 1);
      hasCommand = true;
    }
    while (buffered.length >= 4) {
      const length = buffered.readUInt32BE(0);
      if (length === 0) return detector.isFound() ? VERDICTS.infected : VERDICTS.clean;
      if (buffered.length < 4 + length) break;
      detector.see(buffered.toString('latin1', 4, 4 + length));
      buffered = buffered.subarray(4 + length);
    }
  }
  return null;
}

/** Each world has its own port, because the protocol of clamd cannot name a world. */
export interface Scanners {
  /** The first call starts it, on `port` or a free one. Rejects when that fails; the next call tries again. */
  urlIn(world: string, port?: number): Promise<string>;
  /** Closes the scanner of a world, if it has one. Does nothing for the default world. */
  closeIn(world: string): Promise<void>;
  close(): Promise<void>;
}

export function createScanners(worlds: Worlds): Scanners {
  const listeners = new Map<string, Promise<ClamdListener>>();
  return {
    async urlIn(world, port = 0) {
      const draw = () => worlds.at(world).draw('scanner', 'scannen', undefined);
      const listener = listeners.get(world) ?? listenAsClamd(port, draw);
      listeners.set(world, listener);
      try {
        return (await listener).url;
      } catch (error) {
        if (listeners.get(world) === listener) listeners.delete(world);
        throw error;
      }
    },
    async closeIn(world) {
      const listener = listeners.get(world);
      if (world === DEFAULT_WORLD || listener === undefined) return;
      listeners.delete(world);
      await (await listener).close();
    },
    async close() {
      await Promise.all([...listeners.values()].map(async (listener) => (await listener).close()));
    },
  };
}
