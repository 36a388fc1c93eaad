import type { DecidedCase } from '../../simulator/control/deps.ts';
import type { KeyStore, Store } from '../../src/ports/store/store.ts';
import { applicationStore } from './applications.ts';
import { briefStore, savedLetter } from './brieven.ts';
import { emptyTables, isFree, keyOf, type MemoryTables } from './tables.ts';
import { uploadStore } from './uploads.ts';

/** All rows of the store, keyed by table, as pairs of a key and a row. */
export type StoreRows = Readonly<Record<string, readonly (readonly [string, unknown])[]>>;

/** The store of the service, in memory instead of in a database. */
export interface MemoryStore extends Store {
  erase(): Promise<void>;
  rows(): StoreRows;
  load(rows: StoreRows): void;
  /**
   * Sets decided applications back to InBehandeling, at the time `at` (RFC 3339). `world` is not used. The change is
   * made before the function returns.
   */
  reopen(world: string, decided: readonly DecidedCase[], at: string): Promise<void>;
}

/** Returns a store in memory, for a page or a test. It uses no module of Node. */
export function createMemoryStore(): MemoryStore {
  const tables = emptyTables();
  return {
    applications: applicationStore(tables),
    keys: keyStore(tables),
    uploads: uploadStore(tables),
    brieven: briefStore(tables),
    ping: async () => undefined,
    async erase() {
      for (const table of Object.values(tables)) table.clear();
    },
    rows: () => Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, [...table]])),
    load(rows) {
      for (const [name, table] of Object.entries(tables) as [string, Map<string, unknown>][]) {
        table.clear();
        for (const [key, row] of rows[name] ?? [])
          table.set(key, name === 'brieven' ? savedLetter(row as object) : row);
      }
    },
    async reopen(_, decided, at) {
      for (const one of decided) reopen(tables, one, at);
    },
    close: async () => undefined,
  };
}

function reopen({ applications }: MemoryTables, { referentie, about }: DecidedCase, at: string): void {
  for (const [key, row] of applications) {
    const isDecided = row.tag === 'Goedgekeurd' || row.tag === 'Afgewezen';
    if (row.referentie !== referentie || !isDecided) continue;
    const updatedAt = row.createdAt > at ? row.createdAt : at;
    applications.set(key, { ...row, about, tag: 'InBehandeling', reden: null, updatedAt, version: row.version + 1 });
  }
}

/** Returns a store of idempotency keys in memory. The keys do not expire. */
const keyStore = ({ keys }: MemoryTables): KeyStore => ({
  async open(owner, key, fingerprint, id, until) {
    const name = keyOf(owner, key);
    const row = keys.get(name);
    if (row === undefined) {
      keys.set(name, { fingerprint, id, busyUntil: until, answer: null });
      return { state: 'open', id, retry: false, claim: until };
    }
    if (row.fingerprint !== fingerprint) return { state: 'other' };
    if (row.answer !== null) return { state: 'done', answer: row.answer };
    if (!isFree({ claim: key, claimedUntil: row.busyUntil })) return { state: 'busy' };
    keys.set(name, { ...row, busyUntil: until });
    return { state: 'open', id: row.id, retry: true, claim: until };
  },

  async keep(owner, key, answer) {
    const row = keys.get(keyOf(owner, key));
    if (row?.answer === null) keys.set(keyOf(owner, key), { ...row, answer, busyUntil: 0 });
  },

  async release(owner, key, claim) {
    const row = keys.get(keyOf(owner, key));
    if (row?.answer === null && row.busyUntil === claim) keys.set(keyOf(owner, key), { ...row, busyUntil: 0 });
  },

  async forget(owner, key, claim) {
    const row = keys.get(keyOf(owner, key));
    if (row?.answer === null && row.busyUntil === claim) keys.delete(keyOf(owner, key));
  },
});
