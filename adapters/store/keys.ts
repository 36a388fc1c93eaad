import type { KeyStore } from '../../src/ports/store.ts';
import { hasEnded } from './claims.ts';
import type { StoreConnections } from './sqlite.ts';

/** Milliseconds for which a key and its answer are kept: one day. */
const RETENTION = 24 * 60 * 60 * 1_000;
/** Old keys are deleted in one of this number of calls, on average. */
const SWEEP_ODDS = 100;

/** Returns the store of idempotency keys and their answers. */
export function keyStore({ relaxed, durable, at: atStore }: StoreConnections): KeyStore {
  const now = () => atStore(Date.now());
  const sweep = () =>
    relaxed
      .deleteFrom('keys')
      .where('createdAt', '<', atStore(Date.now() - RETENTION))
      .execute();

  return {
    async open(owner, key, fingerprint, id, until) {
      if (Math.random() * SWEEP_ODDS < 1) await sweep();
      const added = await durable
        .insertInto('keys')
        .values({ owner, key, fingerprint, id, busyUntil: atStore(until), answer: null, createdAt: now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (Number(added.numInsertedOrUpdatedRows ?? 0) === 1) return { state: 'open', id, retry: false };

      const row = await relaxed
        .selectFrom('keys')
        .selectAll()
        .where('owner', '=', owner)
        .where('key', '=', key)
        .executeTakeFirst();
      if (row === undefined) return { state: 'busy' };
      if (row.fingerprint !== fingerprint) return { state: 'other' };
      if (row.answer !== null) return { state: 'done', answer: JSON.parse(row.answer) };
      const taken = await durable
        .updateTable('keys')
        .set({ busyUntil: atStore(until) })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .where('answer', 'is', null)
        .where(hasEnded('busyUntil', now()))
        .executeTakeFirst();
      return Number(taken.numUpdatedRows) === 1 ? { state: 'open', id: row.id, retry: true } : { state: 'busy' };
    },

    async keep(owner, key, answer) {
      await durable
        .updateTable('keys')
        .set({ answer: JSON.stringify(answer), busyUntil: 0 })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .execute();
    },

    async release(owner, key) {
      await relaxed
        .updateTable('keys')
        .set({ busyUntil: 0 })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .where('answer', 'is', null)
        .execute();
    },

    async forget(owner, key) {
      await relaxed
        .deleteFrom('keys')
        .where('owner', '=', owner)
        .where('key', '=', key)
        .where('answer', 'is', null)
        .execute();
    },
  };
}
