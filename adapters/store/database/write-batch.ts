import type { CompiledQuery, Kysely, SqliteDatabase } from 'kysely';
import type { ConnectionLock } from './connection-lock.ts';
import type { Tables } from './schema.ts';

/** The part of an SQLite connection that `createBatchWriter` uses. */
export interface SqliteConnection extends SqliteDatabase {
  exec(sql: string): void;
  /** True between `begin` and `commit`. */
  readonly isTransaction: boolean;
}

/**
 * A function that runs one statement that changes data. It resolves with the rows of the result after the change is
 * committed, and rejects when the statement fails.
 */
export type Write = <Row>(query: CompiledQuery<Row>) => Promise<readonly Row[]>;

/** Returns a function that runs each changing statement on `db` at once, without a shared transaction. */
export const createSingleWriter =
  (db: Kysely<Tables>): Write =>
  async (query) =>
    (await db.executeQuery(query)).rows;

interface Waiting {
  readonly query: CompiledQuery<unknown>;
  resolve(rows: readonly unknown[]): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that runs changing statements on an SQLite connection. Statements that are sent in the same turn
 * of the event loop share a transaction (decisions/0094-drafts-share-a-transaction.md). When one of them fails, they
 * are run again without a shared transaction.
 *
 * @param writeSingle - runs one statement; used while another connection of this process holds the lock
 */
export function createBatchWriter(connection: SqliteConnection, lock: ConnectionLock, writeSingle: Write): Write {
  let waiting: Waiting[] = [];

  const rowsOf = ({ query: { sql, parameters } }: Waiting) => connection.prepare(sql).all(parameters);

  function runOne(one: Waiting): void {
    try {
      one.resolve(rowsOf(one));
    } catch (error) {
      one.reject(error);
    }
  }

  /**
   * Runs all statements in one transaction and returns their rows. Returns null when a statement failed; then nothing
   * is changed. Throws when the transaction cannot begin.
   */
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
