import { type ExpressionBuilder, sql } from 'kysely';
import type { RetentionStore } from '../../src/ports/store/store.ts';
import { isFree } from './claims.ts';
import type { StoreConnections } from './connections.ts';
import type { Tables } from './schema.ts';

// One day in milliseconds.
const KEY_RETENTION = 24 * 60 * 60 * 1_000;
// Maximum for one call.
const MAX_CONCEPTS = 1_000;

export const retentionStore = ({ durable, atStore, now }: StoreConnections): RetentionStore => ({
  async expire(conceptsBefore) {
    const keys = await durable
      .deleteFrom('keys')
      .where('createdAt', '<', atStore(Date.now() - KEY_RETENTION))
      .executeTakeFirst();
    const expiredKeys = Number(keys.numDeletedRows);
    if (conceptsBefore === null) return { concepts: 0, keys: expiredKeys, owners: [] };
    // By the clock that is behind: a process whose own is a year ahead would delete every Concept, and one whose own is a
    // year behind would lose those that it has just written with that clock.
    const age = Date.now() - Date.parse(conceptsBefore);
    const { moment } = await durable.selectNoFrom(sql<number>`${now} - ${age}`.as('moment')).executeTakeFirstOrThrow();
    const before = new Date(Math.min(moment, Date.parse(conceptsBefore))).toISOString();
    const isExpired = (where: ExpressionBuilder<Tables, 'applications'>) =>
      where.and([
        where('tag', '=', 'Concept'),
        where('updatedAt', '<', before),
        where('sentKey', 'is', null),
        isFree(atStore(Date.now())),
      ]);
    const concepts = await durable
      .deleteFrom('applications')
      .where('id', 'in', (from) =>
        from.selectFrom('applications').select('id').where(isExpired).orderBy('updatedAt').limit(MAX_CONCEPTS),
      )
      // Again in the statement itself, because its owner may have saved it in the meantime.
      .where(isExpired)
      .returning('owner')
      .execute();
    const owners = [...new Set(concepts.map(({ owner }) => owner))];
    return { concepts: concepts.length, keys: expiredKeys, owners };
  },
});
