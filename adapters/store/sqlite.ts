import { statSync } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type Driver,
  Kysely,
  type LogConfig,
  type SqliteDatabase,
  SqliteDialect,
  sql,
} from 'kysely';
import { createSingleWriter, type StoreConnections, type Write } from './connections.ts';
import { createSqliteFile, makeFolder, SQLITE_FILE, sqliteError } from './files.ts';
import { migrate, type Tables } from './schema.ts';

// Milliseconds that a writer waits for the lock of another process: at the start, when it may migrate; and later, when
// Node answers nothing in that time.
const [BUSY_AT_START, BUSY_TIMEOUT] = [5_000, 1_000];
const IN_MEMORY = ':memory:';

// With `full` every commit is flushed to disk; with `normal` a power cut can lose the last commits. Without
// `secure_delete` SQLite keeps what is deleted in the free parts of the file.
function openDatabase(file: string, synchronous: 'normal' | 'full'): SqliteConnection {
  const db = new DatabaseSync(file, { timeout: BUSY_AT_START });
  try {
    const settings = ['journal_mode = wal', `synchronous = ${synchronous}`, 'foreign_keys = on', 'secure_delete = on'];
    db.exec(settings.map((setting) => `pragma ${setting};`).join(''));
    // SQLite makes the -wal at the first read.
    db.exec('select 1 from sqlite_schema');
  } catch (error) {
    db.close();
    throw error;
  }
  const checkPlace = file === IN_MEMORY ? undefined : placeCheck(file);
  const { prepare, close } = kyselyDatabase(db);
  return {
    prepare(sql) {
      checkPlace?.();
      return prepare(sql);
    },
    close,
    exec: (sql) => db.exec(sql),
    get isTransaction() {
      return db.isTransaction;
    },
  };
}

/**
 * Opens `<folder>/zorgregister.sqlite`, which is made when it does not exist, and migrates it. `:memory:` opens a
 * database in memory.
 */
export async function openSqlite(folder: string, log?: LogConfig): Promise<StoreConnections> {
  const inMemory = folder === IN_MEMORY;
  const file = inMemory ? IN_MEMORY : ensureFile(folder);
  const lock = new ConnectionLock();
  const first = openDatabase(file, 'normal');
  let second = first;
  const kysely = (database: SqliteConnection) =>
    new Kysely<Tables>({ dialect: lockingDialect(database, lock), ...(log && { log }) });
  const relaxed = kysely(first);
  try {
    // SQLite opens a file that may not be written for reading only. It then refuses this change, which is not made.
    first.exec('begin exclusive; pragma user_version = 0; rollback');
    // When several processes start at once, one migrates and the others wait here.
    first.exec('begin exclusive');
    await migrate(relaxed);
    first.exec('commit');
    if (!inMemory) second = openDatabase(file, 'full');
    for (const database of new Set([first, second])) database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
  } catch (error) {
    // Closing rolls back what was not committed.
    first.close();
    throw error;
  }
  const durable = inMemory ? relaxed : kysely(second);
  const writeSingle = createSingleWriter(relaxed);
  const checkDisk = inMemory ? undefined : diskCheck(file);
  return {
    relaxed,
    durable,
    async ping() {
      // Reads a table: `select 1` also succeeds on a damaged file.
      await relaxed.selectFrom('applications').select('id').limit(1).execute();
      await checkDisk?.();
    },
    // With tracing each statement runs by itself, so that it is in the trace of its own request.
    write: log ? writeSingle : createBatchWriter(first, lock, writeSingle),
    // All processes that use the file run on one machine, so they have the same clock.
    atStore: (moment) => sql<number>`${moment}`,
    now: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
    // SQLite has one writer: after the first write in `work`, no other process can write until the transaction ends.
    serialized: (_, work) => durable.transaction().execute(work),
    // Not `destroy` of Kysely, which does nothing for a connection that has run no statement.
    async close() {
      first.close();
      second.close();
    },
  };
}

// Age of an empty file in milliseconds: an older one counts as damaged, a newer one may just have been created.
const MAX_EMPTY_AGE = 60_000;
// A file that cannot be written, a damaged one, and one in another place (sqlite.org/rescode.html).
const [READONLY, CORRUPT, READONLY_DBMOVED] = [8, 11, 1032];

// SQLite goes on with files that were moved, removed, replaced or cut off: the next start would miss what it stores in
// them. It never makes them smaller while they are open.
function placeCheck(file: string): () => void {
  const find = (path: string) => statSync(path, { throwIfNoEntry: false });
  const opened = [file, `${file}-wal`].map((path) => ({ path, last: find(path) }));
  return () => {
    for (const one of opened) {
      const now = find(one.path);
      if (now === undefined || now.ino !== one.last?.ino || now.dev !== one.last.dev)
        throw sqliteError('the file was moved, removed or replaced', READONLY_DBMOVED);
      if (now.size < one.last.size) throw sqliteError('the file was cut off', CORRUPT);
      one.last = now;
    }
  };
}

// Milliseconds between two checks that write.
const CHECK_INTERVAL = 1_000;

// SQLite notices a read-only disk only at its next write. The check writes the times that the file already has, which
// needs no lock of SQLite and no room on the disk.
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

function ensureFile(folder: string): string {
  makeFolder(folder);
  const file = join(folder, SQLITE_FILE);
  const found = createSqliteFile(file);
  // SQLite would use it as a new database.
  if (found?.size === 0 && Date.now() - found.mtimeMs > MAX_EMPTY_AGE) throw sqliteError('the file is empty', CORRUPT);
  return file;
}

// In the order of the calls of `acquire`.
class ConnectionLock {
  readonly #waiting: (() => void)[] = [];
  isHeld = false;

  async acquire(): Promise<void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.isHeld = true;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.isHeld = false;
    else next();
  }
}

// Without the lock, a statement that waits for another connection of this process would block the whole process,
// because Node calls SQLite synchronously.
function lockingDialect(database: SqliteConnection, lock: ConnectionLock): SqliteDialect {
  const dialect = new SqliteDialect({ database });
  const driver = dialect.createDriver();
  const acquire = driver.acquireConnection.bind(driver);
  const release = driver.releaseConnection.bind(driver);
  const locking: Driver = Object.assign(driver, {
    acquireConnection: async () => {
      await lock.acquire();
      return acquire();
    },
    releaseConnection: async (...connection: Parameters<Driver['releaseConnection']>) => {
      await release(...connection);
      lock.release();
    },
    // SQLite itself ends a transaction at a full disk (sqlite.org/lang_transaction.html), and the error of a second
    // rollback would replace that of the disk. `exec` also works when the file was moved.
    rollbackTransaction: async () => {
      if (database.isTransaction) database.exec('rollback');
    },
  });
  return Object.assign(dialect, { createDriver: () => locking });
}

interface SqliteConnection extends SqliteDatabase {
  exec(sql: string): void;
  readonly isTransaction: boolean;
}

interface Waiting {
  readonly query: CompiledQuery<unknown>;
  resolve(rows: readonly unknown[]): void;
  reject(error: unknown): void;
}

// Statements of one turn of the event loop share a transaction (decisions/0094-drafts-share-a-transaction.md). When one
// fails, they run again without it. `writeSingle` is used while another connection of this process holds the lock.
function createBatchWriter(connection: SqliteConnection, lock: ConnectionLock, writeSingle: Write): Write {
  let waiting: Waiting[] = [];

  const rowsOf = ({ query: { sql, parameters } }: Waiting) => connection.prepare(sql).all(parameters);

  function runOne(one: Waiting): void {
    try {
      one.resolve(rowsOf(one));
    } catch (error) {
      one.reject(error);
    }
  }

  // Null when a statement failed: nothing is changed. Throws when the transaction cannot begin.
  function runInTransaction(all: readonly Waiting[]): readonly (readonly unknown[])[] | null {
    // Throws when another process holds the lock; to wait for it again for each statement would block this process.
    connection.exec('begin immediate');
    try {
      const rows = all.map(rowsOf);
      connection.exec('commit');
      return rows;
    } catch {
      // A full disk has already ended the transaction.
      if (connection.isTransaction) connection.exec('rollback');
      return null;
    }
  }

  function runAll(): void {
    const all = waiting;
    waiting = [];
    try {
      if (lock.isHeld) {
        for (const { query, resolve, reject } of all) writeSingle(query).then(resolve, reject);
        return;
      }
      const rows = all.length === 1 ? null : runInTransaction(all);
      for (const [index, one] of all.entries()) {
        if (rows === null) runOne(one);
        else one.resolve(rows[index] ?? []);
      }
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return <Row>(query: CompiledQuery<Row>) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(runAll);
      // SQLite's types do not say what a row of a statement has.
      waiting.push({ query, resolve: (rows) => resolve(rows as readonly Row[]), reject });
    });
}

type Statement = ReturnType<SqliteDatabase['prepare']>;

// Half of the maximum number of prepared statements in the cache.
const HALF = 100;

/**
 * Returns a database with the interface that Kysely's dialect expects. Caches the prepared statements of the last 100
 * to 200 SQL texts.
 */
export function kyselyDatabase(db: DatabaseSync): SqliteDatabase {
  // Two maps instead of one that is sorted by last use: a text that is used often then costs one lookup.
  let recent = new Map<string, Statement>();
  let older = new Map<string, Statement>();

  function prepare(sql: string): Statement {
    const prepared = older.get(sql) ?? prepareNew(sql);
    if (recent.size === HALF) {
      older = recent;
      recent = new Map();
    }
    recent.set(sql, prepared);
    return prepared;
  }

  function prepareNew(sql: string): Statement {
    const statement = db.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
    };
  }

  return {
    prepare: (sql) => recent.get(sql) ?? prepare(sql),
    close() {
      if (db.isOpen) db.close();
    },
  };
}
