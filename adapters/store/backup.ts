import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { SQLITE_FILE } from './files.ts';
import type { OpenStore, StoreLocation } from './index.ts';
import { connectionOptions, type PostgresLocation } from './postgres.ts';
import { BATCH_SIZE, insertRows, type Tables, type TableWith, tablesWith } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Copies the database to a new SQLite file that its owner only can read, also while the service runs. The copy has the
 * data of one moment. Throws, and makes no file, for example when the target exists or the copy is damaged.
 */
export async function backup(location: StoreLocation, target: string): Promise<void> {
  demandAbsent(target);
  // The copy is made beside the target, where there must be room for it anyway. It gets the name of the target when it
  // is complete.
  const folder = mkdtempSync(`${target}-`);
  const copy = join(folder, 'copy.sqlite');
  try {
    if (location.kind === 'postgres') await copyPostgres(location, folder);
    copyFile(location.kind === 'postgres' ? folder : location.folder, copy);
    demandAbsent(target);
    renameSync(copy, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function demandAbsent(path: string): void {
  if (existsSync(path)) throw Object.assign(new Error('the file exists'), { code: 'EEXIST', path });
}

function copyFile(folder: string, target: string): void {
  const file = join(folder, SQLITE_FILE);
  if (!existsSync(file)) throw new Error(`there is no store at ${file}`);
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    source.prepare('vacuum into ?').run(target);
  } finally {
    source.close();
  }
  chmodSync(target, 0o600);
  const copy = new DatabaseSync(target, { readOnly: true });
  try {
    demandIntegrity(copy, 'the copy is damaged');
  } finally {
    copy.close();
  }
}

function demandIntegrity(file: DatabaseSync, message: string): void {
  const verdict = file.prepare('pragma integrity_check').get()?.integrity_check;
  if (verdict !== 'ok') throw new Error(`${message}: ${String(verdict)}`);
}

async function copyPostgres(location: PostgresLocation, folder: string): Promise<void> {
  const { durable, close } = await openSqlite(folder);
  const client = new pg.Client(connectionOptions(location));
  // A lost connection emits `error` too; without a listener that ends the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Every statement of this transaction sees the database as it was at its first one.
    await client.query('begin isolation level repeatable read read only');
    await durable.transaction().execute(async (target) => {
      await demandSameSchema(target, client);
      for (const table of tablesWith('backedUp')) {
        await client.query(`declare copied no scroll cursor for select * from ${table}`);
        for (let rows = await fetchRows(client); rows.length > 0; rows = await fetchRows(client))
          await insertRows(target, table, rows);
        await client.query('close copied');
      }
    });
  } finally {
    await client.end().catch(() => undefined);
    await close();
  }
}

const fetchRows = async (client: pg.Client) =>
  (await client.query<Readonly<Record<string, unknown>>>(`fetch ${BATCH_SIZE} from copied`)).rows;

async function demandSameSchema(target: Kysely<Tables>, client: pg.Client): Promise<void> {
  const found = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const here = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(target);
  const [theirs, ours] = [found.rows, here.rows].map((rows) => rows.map(({ name }) => name).join());
  if (theirs !== ours)
    throw new Error('the database has the schema of another version; run migrate, or use that version');
}

/** The number of restored rows, keyed by table. */
export type Restored = Readonly<Record<TableWith<'backedUp'>, number>>;

/**
 * Adds all rows of a backup to an empty store, in one transaction. Throws, and adds nothing, when the store is not
 * empty or the file cannot be used (absent, damaged, not a backup, or made by a newer version).
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

async function copyTable(source: DatabaseSync, target: Kysely<Tables>, table: keyof Tables): Promise<number> {
  const [row] = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target).then(({ rows }) => rows);
  if (row !== undefined) throw new Error(`the store is not empty: ${table}`);
  return insertRows(target, table, source.prepare(`select * from ${table}`).iterate());
}

async function demandKnownSchema(source: DatabaseSync, db: Kysely<Tables>): Promise<void> {
  const here = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const known = new Set(here.rows.map(({ name }) => name));
  const isBackup = source.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
  if (!isBackup) throw new Error('it is an SQLite file, but not a backup of this service');
  const theirs = source.prepare('select name from kysely_migration').all();
  if (theirs.some(({ name }) => !known.has(String(name))))
    throw new Error('a newer version of the service made it; restore it with that version');
}
