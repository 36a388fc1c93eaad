import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { PoolStats } from '../../src/ports/meters.ts';
import type { Tables } from './schema.ts';

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
  /**
   * Converts a moment (milliseconds since 1970 by this process's clock) to SQL with that moment by the store's clock.
   * Processes with different clocks then agree on what has expired.
   */
  readonly atStore: (moment: number) => RawBuilder<number>;
  /**
   * The current time by the store's clock in milliseconds since 1970, as SQL without parameters: for a statement that is
   * compiled once. Other statements use `atStore(Date.now())`, which also follows the clock of a test.
   */
  readonly now: RawBuilder<number>;
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
 * A function that runs one statement that changes data. It resolves with the rows of the result after the change is
 * committed, and rejects when the statement fails.
 */
export type Write = <Row>(query: CompiledQuery<Row>) => Promise<readonly Row[]>;

export const createSingleWriter =
  (db: Kysely<Tables>): Write =>
  async (query) =>
    (await db.executeQuery(query)).rows;
