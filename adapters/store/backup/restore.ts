import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { type TableWith, tablesWith } from '../database/tables.ts';
import type { OpenStore } from '../index.ts';
import { demandIntegrity } from './backup.ts';
import { BATCH_SIZE, insertRows } from './insert-rows.ts';

/** The number of restored rows, keyed by table. */
export type Restored = Readonly<Record<TableWith<'backedUp'>, number>>;

/**
 * Adds all rows of a backup file to an empty store, in one transaction. Returns the number of added rows for each
 * table. Throws, and adds nothing, when the store is not empty or the file cannot be used (absent, damaged, not a
 * backup, or made by a newer version).
 */
export async function restore({ db }: Pick<OpenStore, 'db'>, file: string): Promise<Restored> {
  if (!existsSync(file)) throw Object.assign(new Error('there is no such file'), { code: 'ENOENT', path: file });
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    demandIntegrity(source, 'the file is damaged');
    await demandKnownSchema(source, db);
    return await db.transaction().execute(async (target) => {
      const counts: [TableWith<'backedUp'>, number][] = [];
      for (const table of tablesWith('backedUp')) counts.push([table, await copyTable(source, target, table)]);
      return Object.fromEntries(counts) as Restored;
    });
  } finally {
    source.close();
  }
}

/**
 * Copies all rows of one table from `source` to `target`, and returns their number. Throws when the table in `target`
 * already has rows.
 */
async function copyTable(source: DatabaseSync, target: Kysely<Tables>, table: keyof Tables): Promise<number> {
  const [row] = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target).then(({ rows }) => rows);
  if (row !== undefined) throw new Error(`the store is not empty: ${table}`);
  let count = 0;
  let rows: Record<string, SQLOutputValue>[] = [];
  const write = async () => {
    await insertRows(target, table, rows);
    count += rows.length;
    rows = [];
  };
  for (const one of source.prepare(`select * from ${table}`).iterate()) {
    rows.push(one);
    if (rows.length === BATCH_SIZE) await write();
  }
  await write();
  return count;
}

/**
 * Throws when the file is not a backup of this service, or when a newer version of the service made it, because its
 * schema is then unknown.
 */
async function demandKnownSchema(source: DatabaseSync, db: Kysely<Tables>): Promise<void> {
  const here = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const known = new Set(here.rows.map(({ name }) => name));
  const isBackup = source.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
  if (!isBackup) throw new Error('it is an SQLite file, but not a backup of this service');
  const theirs = source.prepare('select name from kysely_migration').all();
  if (theirs.some(({ name }) => !known.has(String(name))))
    throw new Error('a newer version of the service made it; restore it with that version');
}
