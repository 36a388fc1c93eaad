import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { machineClock, type StoreClock } from './clock.ts';
import { kyselyDatabase } from './node-sqlite.ts';
import { migrate, type Tables } from './schema.ts';

/** Milliseconds that a writer waits for another process. */
const BUSY = 5_000;

function database(file: string, synchronous: 'normal' | 'full'): SqliteDatabase & { exec(sql: string): void } {
  const db = new DatabaseSync(file, { timeout: BUSY });
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma foreign_keys = on`);
  } catch (error) {
    db.close();
    throw error;
  }
  return { ...kyselyDatabase(db), exec: (sql) => db.exec(sql) };
}

export interface Connections {
  /** For drafts: survives the process, and may lose the last moments in a power cut. */
  readonly swift: Kysely<Tables>;
  /** For what was promised to somebody: on the disk before it returns. */
  readonly sure: Kysely<Tables>;
  /** The clock that every process on this store goes by. */
  readonly at: StoreClock;
  /** Runs what counts rows and then adds one, in a transaction: with the same key one at a time, over all processes. */
  serialized<Result>(key: string, work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
}

/** Opens `<folder>/zorgregister.sqlite`, making folder and file where needed; `:memory:` keeps nothing. */
export async function openSqlite(folder: string): Promise<Connections> {
  const inMemory = folder === ':memory:';
  const file = inMemory ? ':memory:' : makeFile(folder);
  const first = database(file, 'normal');
  const swift = new Kysely<Tables>({ dialect: new SqliteDialect({ database: first }) });
  try {
    // Of several processes that start at once, one migrates and the others wait for it here.
    first.exec('begin exclusive');
    await migrate(swift);
    first.exec('commit');
  } catch (error) {
    // Whatever was not committed is rolled back.
    first.close();
    throw error;
  }
  const sure = inMemory
    ? swift
    : new Kysely<Tables>({ dialect: new SqliteDialect({ database: database(file, 'full') }) });
  return {
    swift,
    sure,
    at: machineClock,
    // SQLite has one writer. What comes first must write, so that nobody else can between it and what follows.
    serialized: (_, work) => sure.transaction().execute(work),
  };
}

/** Milliseconds after which an empty file is no longer one that another process is about to fill. */
const BEGINNING = 60_000;
/** SQLite's code for a file that is not whole (sqlite.org/rescode.html). */
const CORRUPT = 11;

/**
 * Gives the path of the database file, which nobody but its owner can read if it is made here; SQLite gives its `-wal` and
 * `-shm` the same mode. An empty file was cut off: SQLite would take it for a new database and say nothing.
 */
function makeFile(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'zorgregister.sqlite');
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.size === 0 && Date.now() - there.mtimeMs > BEGINNING)
    throw Object.assign(new Error('the file is empty'), { code: 'ERR_SQLITE_ERROR', errcode: CORRUPT });
  if (there === undefined) closeSync(openSync(file, 'a', 0o600));
  return file;
}
