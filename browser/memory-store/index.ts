import type { WorldRows } from '../../src/ports/archive.ts';
import type { Store } from '../../src/ports/store.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import { keyStore } from './keys.ts';
import { emptyTables, keyOf, type Tables } from './tables.ts';
import { uploadStore } from './uploads.ts';

/** The rows of all tables: each a list of key and row. */
export type StoreRows = Readonly<Record<string, readonly (readonly [string, unknown])[]>>;

/** A store in memory. */
export interface MemoryStore extends Store {
  erase(): Promise<void>;
  /** Returns all rows, which can be written as JSON. */
  rows(): StoreRows;
  /** Replaces all rows. */
  load(rows: StoreRows): void;
  /** See `StoreArchive.reopen`. */
  reopen(whose: WorldRows, referentie: string): Promise<void>;
}

/**
 * Returns a store in memory, for a page or a test. It uses nothing of Node. Each method does all its work before it
 * awaits anything, so that each change is atomic.
 */
export function createMemoryStore(): MemoryStore {
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
    rows: () => Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, [...table]])),
    load(rows) {
      for (const [name, table] of Object.entries(tables) as [string, Map<string, unknown>][]) {
        table.clear();
        for (const [key, row] of rows[name] ?? []) table.set(key, row);
      }
    },
    reopen: async (_, referentie) => reopen(tables, referentie),
    close: async () => undefined,
  };
}

/** Sets a decided application back to InBehandeling, unless its owner has another of its type there. */
function reopen({ applications }: Tables, referentie: string): void {
  for (const [key, row] of applications) {
    const isDecided = row.tag === 'Goedgekeurd' || row.tag === 'Afgewezen';
    if (row.referentie !== referentie || !isDecided) continue;
    const isOther = ({ owner, type, tag }: typeof row) =>
      owner === row.owner && type === row.type && tag === 'InBehandeling';
    if ([...applications.values()].some(isOther)) continue;
    applications.set(key, { ...row, tag: 'InBehandeling', reden: null, version: row.version + 1 });
  }
}
