import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { PoolStats } from '../../src/ports/meters.ts';
import type { Tables } from './schema.ts';

export interface StoreConnections {
  /** For data that the user can enter again, such as drafts. With SQLite a power failure can lose a commit. */
  readonly relaxed: Kysely<Tables>;
  /**
   * For data that was confirmed to a user. With an SQLite file a commit is on the disk before the statement returns.
   */
  readonly durable: Kysely<Tables>;
  /** Rejects when the database cannot be used now. Never waits for a database that is restarting. */
  ping(): Promise<unknown>;
  /** Runs one changing statement on the `relaxed` connection. */
  readonly write: Write;
  /**
   * Converts a moment (milliseconds since 1970) to SQL by the store's clock: processes with different clocks then agree
   * on what has expired.
   */
  readonly atStore: (moment: number) => RawBuilder<number>;
  /**
   * The current time by the store's clock in milliseconds since 1970, as SQL for a statement that is compiled once.
   * Others use `atStore(Date.now())`, which also follows the clock of a test.
   */
  readonly now: RawBuilder<number>;
  /** Absent for SQLite, which has no pool. */
  pool?(): PoolStats;
  /**
   * Runs `work` in a transaction, one after another for the same `key`, also in different processes. Use it to count
   * rows and then add one.
   */
  serialized<Result>(key: string, work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Resolves with the rows after the change is committed; rejects when the statement fails. */
export type Write = <Row>(query: CompiledQuery<Row>) => Promise<readonly Row[]>;

export const createSingleWriter =
  (db: Kysely<Tables>): Write =>
  async (query) =>
    (await db.executeQuery(query)).rows;
