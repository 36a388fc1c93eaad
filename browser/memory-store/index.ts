import type { Store } from '../../src/ports/store.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import { keyStore } from './keys.ts';
import { emptyTables, keyOf } from './tables.ts';
import { uploadStore } from './uploads.ts';

/**
 * A store of one page or test, which is gone when nobody holds it any more. Nothing of Node is in it. Each method does all its
 * work before it lets anybody else have a turn, so that each is one atomic change.
 */
export function createMemoryStore(): Store & { erase(): Promise<void> } {
  const tables = emptyTables();
  return {
    applications: applicationStore(tables),
    keys: keyStore(tables),
    uploads: uploadStore(tables),
    brieven: briefStore(tables),
    rates: {
      add: async (tallies) => ({
        totals: tallies.map(({ key, minute, count }) => {
          const total = (tables.rates.get(keyOf(key, String(minute))) ?? 0) + count;
          tables.rates.set(keyOf(key, String(minute)), total);
          return total;
        }),
        now: Date.now(),
      }),
    },
    ping: async () => undefined,
    async erase() {
      for (const table of Object.values(tables)) table.clear();
    },
    close: async () => undefined,
  };
}
