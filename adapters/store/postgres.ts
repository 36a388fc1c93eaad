import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { databaseClock } from './clock.ts';
import { migrate, type Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

/** Connections of one process; enough for its 64 calls to each upstream, which take far longer than a statement. */
const CONNECTIONS = 10;

/** Milliseconds to connect, for a statement at the server, and for its answer to arrive: within the 3 seconds of a read. */
const CONNECT = 2_000;
const STATEMENT = 2_000;
const ANSWER = 2_500;
/** Another process may be at it, and a table may be large. */
const MIGRATION = 60_000;

/** Opens the database at a `postgres://` URL and brings it to the present schema. Every commit is on the disk. */
export async function openPostgres(url: string): Promise<Connections> {
  const common = { connectionString: url, connectionTimeoutMillis: CONNECT, application_name: 'zorgregister-bff' };
  const once = connect(new pg.Pool({ ...common, max: 2, query_timeout: MIGRATION }));
  await migrate(once).finally(() => once.destroy());
  const db = connect(
    new pg.Pool({ ...common, max: CONNECTIONS, statement_timeout: STATEMENT, query_timeout: ANSWER, keepAlive: true }),
  );
  return {
    swift: db,
    sure: db,
    at: databaseClock,
    serialized: (key, work) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
        return work(transaction);
      }),
  };
}

function connect(pool: pg.Pool): Kysely<Tables> {
  // An idle connection that the server closes is replaced at the next statement; without a listener it would end the process.
  pool.on('error', () => undefined);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: bounded(pool) }) });
}

/**
 * The same pool, which lets go of a connection that did not answer in time. pg would lend it to the next, who would wait for the
 * same answer; a connection that died without a word would do so for a quarter of an hour.
 */
const bounded = (pool: pg.Pool): PostgresPool =>
  ({
    async connect() {
      const client = await pool.connect();
      let silent = false;
      return {
        query: (text: string, parameters: readonly unknown[]) =>
          client.query(text, [...parameters]).catch((error: Error) => {
            silent ||= error.message === 'Query read timeout';
            throw error;
          }),
        release: () => client.release(silent),
      };
    },
    end: () => pool.end(),
  }) as unknown as PostgresPool;
