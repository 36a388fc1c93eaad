import type { Store } from '../../src/ports/store.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import { keyStore } from './keys.ts';
import { emptyTables, keyOf } from './tables.ts';
import { uploadStore } from './uploads.ts';

/**
 * Returns a store in memory, for a page or a test. It uses nothing of Node. Each method does all its work before it
 * awaits anything, so that each change is atomic.
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
