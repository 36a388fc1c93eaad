import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { databaseClock } from './clock.ts';
import { migrate, type Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

/** Connections of one process; enough for its 64 calls to each upstream, which take far longer than a statement. */
const CONNECTIONS = 10;

/** Milliseconds to connect, for a statement at the server, and for its answer to arrive: within the 3 seconds of a read. */
const CONNECT = 2_000;
const STATEMENT = 2_000;
const ANSWER = 2_500;
/** And for it to close its side of the connections when the process stops. */
const GOODBYE = 500;
/** Another process may be at it, and a table may be large. */
const MIGRATION = 60_000;

/** Where a PostgreSQL is; `ca` is the PEM of the certificates to verify it by, instead of Node's own list. */
export interface PostgresLocation {
  readonly url: string;
  readonly ca?: string;
}

/** Opens the database at a `postgres://` URL and brings it to the present schema. Every commit is on the disk. */
export async function openPostgres({ url, ca }: PostgresLocation): Promise<Connections> {
  // Parsed once. pg would do so for every connection, and end the process if a file that the URL names cannot be read by then.
  const { ssl, ...address } = parseIntoClientConfig(url);
  const verified = ca === undefined ? ssl : { ...(typeof ssl === 'object' && ssl), ca };
  const common = {
    application_name: 'zorgregister-bff',
    ...address,
    ...(verified !== undefined && { ssl: verified }),
    connectionTimeoutMillis: CONNECT,
  };
  const once = connect(new pg.Pool({ ...common, max: 2, query_timeout: MIGRATION }));
  await migrate(once).finally(() => once.destroy());
  const db = connect(
    new pg.Pool({ ...common, max: CONNECTIONS, statement_timeout: STATEMENT, query_timeout: ANSWER, keepAlive: true }),
  );
  return {
    swift: db,
    sure: db,
    at: databaseClock,
    // What comes after the lock sees all that was committed before it; without one it would not see what others are adding.
    serialized: (key, work) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
        return work(transaction);
      }),
  };
}

function connect(pool: pg.Pool): Kysely<Tables> {
  // A connection that is lost emits `error`, in use or idle, and without a listener that ends the process. The statement under
  // way is rejected as well, and the pool makes a new connection for the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: careful(pool) }) });
}

/**
 * The same pool, which closes a connection after any statement that failed instead of lending it again. It may be ending (57P01
 * arrives before the socket closes), still owe the answer that came too late, or be in a transaction that nobody ended.
 */
const careful = (pool: pg.Pool): PostgresPool =>
  ({
    async connect() {
      const client = await pool.connect();
      let failed = false;
      return {
        query: (sql: string, parameters: readonly unknown[]) =>
          client.query(sql, [...parameters]).catch((error: Error) => {
            failed = true;
            throw error;
          }),
        release: (discarded = false) => client.release(failed || discarded),
      };
    },
    // A server that does not answer never closes its side, and would keep the process from stopping.
    end: () => Promise.race([pool.end(), setTimeout(GOODBYE, undefined, { ref: false })]),
  }) as unknown as PostgresPool;
