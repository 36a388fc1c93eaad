import { type Kysely, sql } from 'kysely';
import { insertRows, type Tables, tablesWith } from '../../adapters/store/schema.ts';
import type { StoreArchive } from '../control/deps.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';

export function createStoreArchive(db: Kysely<Tables>): StoreArchive {
  const ownedIn = (world: string) =>
    world === DEFAULT_WORLD
      ? sql<boolean>`owner not like '%@%'`
      : sql<boolean>`substr(owner, length(owner) - ${world.length}) = ${`@${world}`}`;

  return {
    async take(world) {
      const [applications, uploads, brieven] = await Promise.all([
        db.selectFrom('applications').selectAll().where(ownedIn(world)).orderBy('id').execute(),
        db.selectFrom('uploads').selectAll().where(ownedIn(world)).orderBy('documentId').execute(),
        db.selectFrom('brieven').selectAll().where('workspace', '=', world).orderBy('briefId').execute(),
      ]);
      return { applications, uploads, brieven };
    },
    async documentKeys() {
      const rows = await db.selectFrom('uploads').select('key').where('key', 'is not', null).execute();
      return new Set(rows.map(({ key }) => String(key)));
    },
    async leftoverKeys() {
      const rows = await db.selectFrom('leftovers').select('key').where('key', 'is not', null).execute();
      return new Set(rows.map(({ key }) => String(key)));
    },
    put: (rows) =>
      db.transaction().execute(async (transaction) => {
        for (const table of tablesWith('archived')) await insertRows(transaction, table, rows[table]);
      }),
    putLetters: (world, rows) =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('brieven').where('workspace', '=', world).execute();
        await insertRows(transaction, 'brieven', rows);
      }),
    async reopen(world, decided, at) {
      // One after the other, because only one of a kind (about one registration) gets the slot, as after a restore.
      for (const { referentie, about } of decided) {
        const slot = sql<string>`applications.owner || '|' || applications.type || ${about === null ? '' : `|${about}`}`;
        await db
          .updateTable('applications')
          .set({
            tag: 'InBehandeling',
            reden: null,
            // The change is not before the creation: the clock of a world can be set back that far.
            updatedAt: sql`case when "createdAt" > ${at} then "createdAt" else ${at} end`,
            slot: sql`case when exists (select 1 from applications as others where others.slot = ${slot}) then null else ${slot} end`,
            version: sql`version + 1`,
          })
          // A snapshot can have two with one reference, and only one of them gets the slot.
          .where('id', '=', (eb) =>
            eb
              .selectFrom('applications')
              .select('id')
              .where(ownedIn(world))
              .where('referentie', '=', referentie)
              .where('tag', 'in', ['Goedgekeurd', 'Afgewezen'])
              .orderBy('id')
              .limit(1),
          )
          .execute();
      }
    },
    erase: (world) =>
      db.transaction().execute(async (transaction) => {
        for (const table of tablesWith('owned')) await transaction.deleteFrom(table).where(ownedIn(world)).execute();
        await transaction.deleteFrom('brieven').where('workspace', '=', world).execute();
      }),
  };
}
