import type { KeyStore } from '../../src/ports/store.ts';
import type { Connections } from './sqlite.ts';

/** How long a key and its answer are kept: a day. */
const KEPT = 24 * 60 * 60 * 1_000;
/** One in so many openings sweeps out what is too old. */
const SWEEP = 100;

export function keyStore({ swift, sure, at: atStore }: Connections): KeyStore {
  const now = () => atStore(Date.now());
  const sweep = () =>
    swift
      .deleteFrom('keys')
      .where('createdAt', '<', atStore(Date.now() - KEPT))
      .execute();

  return {
    async open(owner, key, fingerprint, id, until) {
      if (Math.random() * SWEEP < 1) await sweep();
      const added = await sure
        .insertInto('keys')
        .values({ owner, key, fingerprint, id, busyUntil: atStore(until), answer: null, createdAt: now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (Number(added.numInsertedOrUpdatedRows ?? 0) === 1) return { state: 'open', id, retry: false };

      const row = await swift
        .selectFrom('keys')
        .selectAll()
        .where('owner', '=', owner)
        .where('key', '=', key)
        .executeTakeFirst();
      if (row === undefined) return { state: 'busy' };
      if (row.fingerprint !== fingerprint) return { state: 'other' };
      if (row.answer !== null) return { state: 'done', answer: JSON.parse(row.answer) };
      const taken = await sure
        .updateTable('keys')
        .set({ busyUntil: atStore(until) })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .where('answer', 'is', null)
        .where('busyUntil', '<=', now())
        .executeTakeFirst();
      return Number(taken.numUpdatedRows) === 1 ? { state: 'open', id: row.id, retry: true } : { state: 'busy' };
    },

    async keep(owner, key, answer) {
      await sure
        .updateTable('keys')
        .set({ answer: JSON.stringify(answer), busyUntil: 0 })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .execute();
    },

    async release(owner, key) {
      await swift
        .updateTable('keys')
        .set({ busyUntil: 0 })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .where('answer', 'is', null)
        .execute();
    },
  };
}
