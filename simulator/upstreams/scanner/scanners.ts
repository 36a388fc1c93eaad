import { DEFAULT_WORLD } from '../../people/directory.ts';
import type { Worlds } from '../../worlds/index.ts';
import { type ClamdListener, listenAsClamd } from './index.ts';

/**
 * The virus scanner of each world. It does not speak HTTP, so a world cannot be part of a path: each world that scans
 * has a listener.
 */
export interface Scanners {
  /** Returns the URL of the scanner of a world; starts it at the first call, on this port or a free one. */
  urlIn(world: string, port?: number): Promise<string>;
  /** Closes the scanner of a world; that of the default world stays. */
  closeIn(world: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the scanners of all worlds; none is running yet. */
export function createScanners(worlds: Worlds): Scanners {
  const listeners = new Map<string, Promise<ClamdListener>>();
  return {
    async urlIn(world, port = 0) {
      const draw = () => worlds.at(world).draw('scanner', 'scannen', undefined);
      const listener = listeners.get(world) ?? listenAsClamd(port, draw);
      listeners.set(world, listener);
      return (await listener).url;
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
