import { DEFAULT_WORLD } from '../../people/directory.ts';
import type { Worlds } from '../../worlds/index.ts';
import { type ClamdListener, listenAsClamd } from './index.ts';

/**
 * The simulated virus scanners of all worlds (tenants of the simulator). Each world in which files are scanned has its
 * own scanner on its own port, because the protocol of clamd has no path in which a world could be named.
 */
export interface Scanners {
  /**
   * Returns the URL of the scanner of a world. Starts the scanner at the first call, on `port` or, when that is absent,
   * on a free port. Rejects when that fails; the next call then starts it.
   */
  urlIn(world: string, port?: number): Promise<string>;
  /** Closes the scanner of a world. Does nothing for the default world, and for a world without a scanner. */
  closeIn(world: string): Promise<void>;
  /** Closes all scanners. */
  close(): Promise<void>;
}

/** Returns the scanners of all worlds. A scanner is started only when its URL is first asked for. */
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
