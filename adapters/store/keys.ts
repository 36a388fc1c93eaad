import type { ExpressionBuilder, Selectable } from 'kysely';
import type { KeyStore } from '../../src/ports/store/store.ts';
import { hasEnded, insertsOne, updatesOne } from './claims.ts';
import type { StoreConnections } from './connections.ts';
import type { Tables } from './schema.ts';

const is = (values: Partial<Selectable<Tables['keys']>>) => (where: ExpressionBuilder<Tables, 'keys'>) =>
  where.and(values);

/** Old keys are deleted by `retentionStore`. */
export function keyStore({ relaxed, durable, atStore }: StoreConnections): KeyStore {
  const now = () => atStore(Date.now());

  return {
    async open(owner, key, fingerprint, id, until) {
      const added = durable
        .insertInto('keys')
        .values({ owner, key, fingerprint, id, busyUntil: atStore(until), answer: null, createdAt: now() })
        .onConflict((conflict) => conflict.doNothing());
      if (await insertsOne(added)) return { state: 'open', id, retry: false };
      const row = await relaxed.selectFrom('keys').selectAll().where(is({ owner, key })).executeTakeFirst();
      if (row === undefined) return { state: 'busy' };
      if (row.fingerprint !== fingerprint) return { state: 'other' };
      if (row.answer !== null) return { state: 'done', answer: JSON.parse(row.answer) };
      const taken = durable
        .updateTable('keys')
        .set({ busyUntil: atStore(until) })
        .where(is({ owner, key, answer: null }))
        .where(hasEnded('busyUntil', now()));
      return (await updatesOne(taken)) ? { state: 'open', id: row.id, retry: true } : { state: 'busy' };
    },

    async keep(owner, key, answer) {
      await durable
        .updateTable('keys')
        .set({ answer: JSON.stringify(answer), busyUntil: 0 })
        .where(is({ owner, key }))
        .execute();
    },

    async release(owner, key) {
      await relaxed
        .updateTable('keys')
        .set({ busyUntil: 0 })
        .where(is({ owner, key, answer: null }))
        .execute();
    },

    async forget(owner, key) {
      await relaxed
        .deleteFrom('keys')
        .where(is({ owner, key, answer: null }))
        .execute();
    },
  };
}
