import { sql } from 'kysely';
import type { RateStore } from '../../src/ports/store/store.ts';
import type { StoreConnections } from './connections.ts';

// Minutes.
const RETENTION = 2;
// Old counts are deleted in one out of this number of calls, on average.
const SWEEP_ODDS = 60;

export function rateStore({ relaxed, atStore }: StoreConnections): RateStore {
  return {
    async add(tallies) {
      if (tallies.length === 0) return { totals: [], now: Date.now() };
      // Always in the same order, so that two processes cannot deadlock on each other's rows.
      const rows = [...tallies].sort((a, b) => (a.key < b.key ? -1 : 1));
      const added = await relaxed
        .insertInto('rates')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['key', 'minute']).doUpdateSet({ count: sql`rates.count + excluded.count` }),
        )
        .returning(['key', 'count', atStore(Date.now()).as('now')])
        .execute();
      if (Math.random() * SWEEP_ODDS < 1) {
        const minute = Math.max(...rows.map((row) => row.minute));
        await relaxed
          .deleteFrom('rates')
          .where('minute', '<', minute - RETENTION)
          .execute();
      }
      const totals = new Map(added.map(({ key, count }) => [key, count]));
      return { totals: tallies.map(({ key }) => totals.get(key) ?? 0), now: added[0]?.now ?? Date.now() };
    },
  };
}
