import { sql } from 'kysely';
import type { RateStore } from '../../src/ports/rates.ts';
import type { Connections } from './sqlite.ts';

/** Minutes for which a count is of use to anybody. */
const KEPT = 2;
/** One in so many additions sweeps out what is too old. */
const SWEEP = 60;

export function rateStore({ swift, at }: Connections): RateStore {
  return {
    async add(tallies) {
      if (tallies.length === 0) return { totals: [], now: Date.now() };
      // Always in the same order, so that two processes never wait for each other's rows.
      const rows = [...tallies].sort((a, b) => (a.key < b.key ? -1 : 1));
      const added = await swift
        .insertInto('rates')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['key', 'minute']).doUpdateSet({ count: sql`rates.count + excluded.count` }),
        )
        .returning(['key', 'count', at(Date.now()).as('now')])
        .execute();
      if (Math.random() * SWEEP < 1) {
        const minute = Math.max(...rows.map((row) => row.minute));
        await swift
          .deleteFrom('rates')
          .where('minute', '<', minute - KEPT)
          .execute();
      }
      const totals = new Map(added.map(({ key, count }) => [key, count]));
      return { totals: tallies.map(({ key }) => totals.get(key) ?? 0), now: added[0]?.now ?? Date.now() };
    },
  };
}
