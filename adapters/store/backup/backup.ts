import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { connectionOptions, type PostgresLocation } from '../database/postgres.ts';
import type { Tables } from '../database/schema.ts';
import { openSqlite } from '../database/sqlite.ts';
import { SQLITE_FILE } from '../database/sqlite-file.ts';
import { tablesWith } from '../database/tables.ts';
import type { StoreLocation } from '../index.ts';
import { BATCH_SIZE, insertRows } from './insert-rows.ts';

/**
 * Copies the database to a new SQLite file, also while the service runs. The copy has the data of one moment and can be
 * read by its owner only. Throws, for example, when the target exists or the copy is damaged; it then makes no file.
 */
export async function backup(location: StoreLocation, target: string): Promise<void> {
  demandAbsent(target);
  // Beside the target, where there must be room for it anyway. The target gets its name when it is complete.
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

/** Throws when the file exists. */
function demandAbsent(path: string): void {
  if (existsSync(path)) throw Object.assign(new Error('the file exists'), { code: 'EEXIST', path });
}

/**
 * Copies `<folder>/zorgregister.sqlite` to the new file `target`, and checks the copy. Throws when there is no such
 * file, and when the copy is damaged.
 */
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

/** Throws when SQLite finds a fault in the file. The message of the error starts with `message`. */
export function demandIntegrity(file: DatabaseSync, message: string): void {
  const verdict = file.prepare('pragma integrity_check').get()?.integrity_check;
  if (verdict !== 'ok') throw new Error(`${message}: ${String(verdict)}`);
}

/** Copies all rows of a PostgreSQL database, with the data of one moment, to a new SQLite store in a folder. */
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

/** Throws when the database has another schema than this version of the service. */
async function demandSameSchema(target: Kysely<Tables>, client: pg.Client): Promise<void> {
  const found = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const here = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(target);
  const [theirs, ours] = [found.rows, here.rows].map((rows) => rows.map(({ name }) => name).join());
  if (theirs !== ours)
    throw new Error('the database has the schema of another version; run migrate, or use that version');
}
