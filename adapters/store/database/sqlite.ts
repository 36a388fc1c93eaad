import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type LogConfig } from 'kysely';
import type { PoolStats } from '../../../src/ports/meters.ts';
import { machineClock, machineNow, type StoreClock, type StoreNow } from './clock.ts';
import { createConnectionLock, LockingSqliteDialect } from './connection-lock.ts';
import { makeFolder } from './make-folder.ts';
import { kyselyDatabase } from './node-sqlite.ts';
import { migrate, type Tables } from './schema.ts';
import { createSqliteFile, SQLITE_FILE, sqliteError } from './sqlite-file.ts';
import { createBatchWriter, createSingleWriter, type SqliteConnection, type Write } from './write-batch.ts';

/** Maximum number of milliseconds that a writer waits for the lock of another process. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens a database file in WAL mode. With `full` every commit is flushed to disk. With `normal` a power cut can lose
 * the last commits. What is deleted is overwritten with zeros: SQLite would else keep it in the free parts of the file.
 */
function openDatabase(file: string, synchronous: 'normal' | 'full'): SqliteConnection {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  try {
    const settings = ['journal_mode = wal', `synchronous = ${synchronous}`, 'foreign_keys = on', 'secure_delete = on'];
    db.exec(settings.map((setting) => `pragma ${setting};`).join(''));
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    ...kyselyDatabase(db),
    exec: (sql) => db.exec(sql),
    get isTransaction() {
      return db.isTransaction;
    },
  };
}

/** The connections of a store to its database. */
export interface StoreConnections {
  /**
   * Connection for data that the user can enter again, such as drafts. With SQLite a commit may be lost in a power
   * failure.
   */
  readonly relaxed: Kysely<Tables>;
  /**
   * Connection for data that was confirmed to a user. With an SQLite file a commit is on the disk before the statement
   * returns.
   */
  readonly durable: Kysely<Tables>;
  /** Rejects when the database cannot be used now. It never waits for a database that is restarting. */
  ping(): Promise<unknown>;
  /** Runs one statement that changes data, on the `relaxed` connection, and returns its rows. */
  readonly write: Write;
  /** Converts a moment to SQL with that moment by the store's clock, which all processes with this database use. */
  readonly atStore: StoreClock;
  /**
   * The current time by the store's clock, as SQL without parameters: for a statement that is compiled once. Other
   * statements use `atStore(Date.now())`, which also follows the clock of a test.
   */
  readonly now: StoreNow;
  /** Returns the state of the connection pool; absent for SQLite, which has none. */
  pool?(): PoolStats;
  /**
   * Runs `work` in a transaction and returns its result. Transactions with the same `key` run one after another, also
   * in different processes. Use it to count rows and then add one.
   */
  serialized<Result>(key: string, work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Closes all connections to the database. */
  close(): Promise<void>;
}

/**
 * Opens `<folder>/zorgregister.sqlite` and migrates it. Creates the folder and the file when they do not exist.
 * `:memory:` opens a database in memory.
 */
export async function openSqlite(folder: string, log?: LogConfig): Promise<StoreConnections> {
  const inMemory = folder === ':memory:';
  const file = inMemory ? ':memory:' : ensureFile(folder);
  const lock = createConnectionLock();
  const first = openDatabase(file, 'normal');
  let second = first;
  const relaxed = new Kysely<Tables>({ dialect: new LockingSqliteDialect(first, lock), ...(log && { log }) });
  try {
    // SQLite opens a file that may not be written for reading only. It then refuses this change, which is not made.
    first.exec('begin exclusive; pragma user_version = 0; rollback');
    // When several processes start at once, one migrates and the others wait here.
    first.exec('begin exclusive');
    await migrate(relaxed);
    first.exec('commit');
    if (!inMemory) second = openDatabase(file, 'full');
  } catch (error) {
    // Closing rolls back what was not committed.
    first.close();
    throw error;
  }
  const durable = inMemory
    ? relaxed
    : new Kysely<Tables>({ dialect: new LockingSqliteDialect(second, lock), ...(log && { log }) });
  const writeSingle = createSingleWriter(relaxed);
  const checkDisk = inMemory ? undefined : diskCheck(file);
  return {
    relaxed,
    durable,
    async ping() {
      await checkDisk?.();
      // Reads a table: `select 1` also succeeds on a damaged file.
      await relaxed.selectFrom('applications').select('id').limit(1).execute();
    },
    // With tracing each statement runs by itself, so that it is in the trace of its own request.
    write: log ? writeSingle : createBatchWriter(first, lock, writeSingle),
    atStore: machineClock,
    now: machineNow,
    // SQLite has one writer: after the first write in `work`, no other process can write until the transaction ends.
    serialized: (_, work) => durable.transaction().execute(work),
    // Not `destroy` of Kysely, which does nothing for a connection that has run no statement.
    async close() {
      first.close();
      second.close();
    },
  };
}

/** Age in milliseconds above which an empty database file counts as damaged. A newer one may just have been created. */
const MAX_EMPTY_AGE = 60_000;
/** SQLite's result codes for a file that cannot be written, and for a damaged file (sqlite.org/rescode.html). */
const [READONLY, CORRUPT] = [8, 11];

/** Minimum number of milliseconds between two checks that write. */
const CHECK_INTERVAL = 1_000;

/**
 * Returns a function that rejects with SQLite's error for a file that cannot be written when its disk became read-only or
 * the file is gone: SQLite notices the first only at its next write, and the second never. It writes the times that the
 * file already has. That needs no lock of SQLite and no room on the disk. It writes at most once in `CHECK_INTERVAL`, and
 * repeats that result until then.
 */
function diskCheck(file: string): () => Promise<void> {
  let last = { at: Number.NEGATIVE_INFINITY, result: Promise.resolve() };
  async function check(): Promise<void> {
    try {
      const { atime, mtime } = await stat(file);
      await utimes(file, atime, mtime);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another user owns the file: only the owner may write its times, also when others may write its content.
      if (code !== 'EPERM') throw sqliteError(`the file cannot be written (${code})`, READONLY);
    }
  }
  return () => {
    const now = performance.now();
    if (now - last.at >= CHECK_INTERVAL) last = { at: now, result: check() };
    return last.result;
  };
}

/**
 * Returns the path of the database file, and creates the file when there is none, with access only for the user of this
 * process. Throws when the file is empty and older than `MAX_EMPTY_AGE`: SQLite would use it as a new database.
 */
function ensureFile(folder: string): string {
  makeFolder(folder);
  const file = join(folder, SQLITE_FILE);
  const found = createSqliteFile(file);
  if (found?.size === 0 && Date.now() - found.mtimeMs > MAX_EMPTY_AGE) throw sqliteError('the file is empty', CORRUPT);
  return file;
}
