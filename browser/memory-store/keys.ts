import type { KeyStore } from '../../src/ports/store/keys.ts';
import { isFree, keyOf, type MemoryTables } from './tables.ts';

/** Returns a store of idempotency keys in memory. The keys do not expire. */
export const keyStore = ({ keys }: MemoryTables): KeyStore => ({
  async open(owner, key, fingerprint, id, until) {
    const name = keyOf(owner, key);
    const row = keys.get(name);
    if (row === undefined) {
      keys.set(name, { fingerprint, id, busyUntil: until, answer: null });
      return { state: 'open', id, retry: false };
    }
    if (row.fingerprint !== fingerprint) return { state: 'other' };
    if (row.answer !== null) return { state: 'done', answer: row.answer };
    if (!isFree({ claim: key, claimedUntil: row.busyUntil })) return { state: 'busy' };
    keys.set(name, { ...row, busyUntil: until });
    return { state: 'open', id: row.id, retry: true };
  },

  async keep(owner, key, answer) {
    const row = keys.get(keyOf(owner, key));
    if (row !== undefined) keys.set(keyOf(owner, key), { ...row, answer, busyUntil: 0 });
  },

  async release(owner, key) {
    const row = keys.get(keyOf(owner, key));
    if (row?.answer === null) keys.set(keyOf(owner, key), { ...row, busyUntil: 0 });
  },

  async forget(owner, key) {
    const row = keys.get(keyOf(owner, key));
    if (row?.answer === null) keys.delete(keyOf(owner, key));
  },
});
