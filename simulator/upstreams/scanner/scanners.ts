import { DEFAULT_WORLD } from '../../people/directory.ts';
import type { Worlds } from '../../worlds/index.ts';
import { type ClamdListener, listenAsClamd } from './index.ts';

/**
 * The simulated virus scanners. Each world has its own scanner on its own port, because the protocol of clamd cannot
 * name a world.
 */
export interface Scanners {
  /**
   * Returns the URL of the scanner of a world. The first call starts the scanner, on `port` or, when that is absent, on
   * a free port. Rejects when the scanner cannot start; the next call then tries again.
   */
  urlIn(world: string, port?: number): Promise<string>;
  /** Closes the scanner of a world, if it has one. Does nothing for the default world. */
  closeIn(world: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the virus scanners of all worlds, without starting one. */
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
