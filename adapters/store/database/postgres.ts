import { setTimeout } from 'node:timers/promises';
import { Kysely, type LogConfig, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { databaseClock, databaseNow } from './clock.ts';
import { migrate, type Tables } from './schema.ts';
import type { StoreConnections } from './sqlite.ts';
import { writeAlone } from './together.ts';

/** Number of connections in the pool of one process. */
const POOL_SIZE = 10;

/** Maximum number of milliseconds to wait for a connection. */
const CONNECT_TIMEOUT = 2_000;
/** Maximum number of milliseconds that PostgreSQL works on one statement. */
const STATEMENT_TIMEOUT = 2_000;
/** Maximum number of milliseconds until the result of one statement arrives. */
const ANSWER_TIMEOUT = 2_500;
/** Minimum number of milliseconds between two attempts to connect while the server cannot be reached. */
const TRIAL_INTERVAL = 200;
/** Milliseconds after the first failed attempt to connect in which statements wait for a restart of the server. */
const RESTART_TIME = 2_000;
/**
 * Maximum number of statements that wait for a restart of the server at the same time. Statements in the queue of pg's
 * pool are not counted.
 */
const MAX_WAITING = 50;
/** Milliseconds after which a statement that waits for a restart of the server tries again. */
const LOOK_INTERVAL = 25;
/** Milliseconds to wait for the server to close the connections when the process stops. */
const CLOSE_TIMEOUT = 500;
/** Timeout in milliseconds of each statement of a migration. */
const MIGRATION_TIMEOUT = 60_000;

/**
 * The location of a PostgreSQL database. `ca` is the PEM text of the certificate authorities to trust instead of Node's
 * list.
 */
export interface PostgresLocation {
  readonly url: string;
  readonly ca?: string;
}

/**
 * Returns the settings of pg for a database. Call it once and not for each connection, because it parses the URL and
 * can throw.
 */
export function connectionOptions({ url, ca }: PostgresLocation): pg.ClientConfig {
  const { ssl, ...address } = parseIntoClientConfig(url);
  const verified = ca === undefined ? ssl : { ...(typeof ssl === 'object' && ssl), ca };
  return {
    application_name: 'zorgregister-bff',
    ...address,
    ...(verified !== undefined && { ssl: verified }),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  };
}

/** Opens the database at a `postgres://` URL and migrates its schema. */
export async function openPostgres(location: PostgresLocation, log?: LogConfig): Promise<StoreConnections> {
  const common = connectionOptions(location);
  const { db: once } = connect(new pg.Pool({ ...common, max: 2, query_timeout: MIGRATION_TIMEOUT }));
  await migrate(once).finally(() => once.destroy());
  const pool = new pg.Pool({
    ...common,
    max: POOL_SIZE,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    keepAlive: true,
  });
  const { db, probe } = connect(pool, log);
  return {
    relaxed: db,
    durable: db,
    probe,
    write: writeAlone(db),
    at: databaseClock,
    now: databaseNow,
    pool: () => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    // Without the lock, a transaction does not see the rows that others are adding at the same time.
    serialized: (key, work) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
        return work(transaction);
      }),
  };
}

/**
 * Returns two Kysely connections on this pool: `db` for statements, and `probe` for checks, which never waits for a
 * restart of the server.
 *
 * @param log - gets each statement
 */
function connect(pool: pg.Pool, log?: LogConfig): Record<'db' | 'probe', Kysely<Tables>> {
  // A lost connection emits `error`, also when it is idle; without a listener that ends the process. A running
  // statement is rejected too, and the pool opens a new connection for the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const poolThat = withoutFailedConnections(pool);
  const kysely = (waits: boolean) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolThat({ waits }) }), ...(log && { log }) });
  return { db: kysely(true), probe: kysely(false) };
}

/**
 * Maximum number of times that a read is sent: more than two, because several idle connections can be closed at once.
 */
const READ_ATTEMPTS = 3;
/** Matches a statement that starts with `select`, which may be sent twice. */
const READ = /^\s*select\b/i;

/** Returns true for the error of a statement whose connection the server or the network broke off. */
const isBrokenOff = ({ message, code = '' }: Error & { code?: string }): boolean =>
  /^(57P01|57P02|ECONNRESET|EPIPE)$/.test(code) || /connection terminated/i.test(message);

/**
 * Returns a function that makes pools for Kysely on one pool of pg. With `waits: true`, a statement waits for a restart
 * of the server (at most `RESTART_TIME`), and a read whose connection broke off is sent again; with `waits: false` both
 * fail. After a failed statement the connection is closed instead of used again.
 */
function withoutFailedConnections(pool: pg.Pool): (_: { waits: boolean }) => PostgresPool {
  let failure: Error | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let waitUntil = Number.NEGATIVE_INFINITY;
  let hasConnected = false;
  let waiting = 0;

  /**
   * Throws the last connection failure while the server cannot be reached, except for one attempt in each
   * `TRIAL_INTERVAL`.
   */
  function mayConnect(): void {
    if (failure === undefined) return;
    if (performance.now() - triedAt < TRIAL_INTERVAL) throw failure;
    triedAt = performance.now();
  }
  const connected = (client: pg.PoolClient) => {
    failure = undefined;
    hasConnected = true;
    return client;
  };
  /**
   * Returns a function that records a failed attempt to connect and throws its error.
   *
   * @param start - time of the attempt
   */
  const refusedSince = (start: number) => (error: Error) => {
    if (failure === undefined && hasConnected) waitUntil = start + RESTART_TIME;
    failure = error;
    throw error;
  };
  async function connect(): Promise<pg.PoolClient> {
    if (pool.idleCount === 0) mayConnect();
    return pool.connect().then(connected, refusedSince(performance.now()));
  }
  /**
   * Returns a connection. Tries again while the server may be restarting, and then throws the error of the last
   * attempt.
   */
  async function connectPatiently(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await connect();
      } catch (error) {
        if (performance.now() >= waitUntil || waiting >= MAX_WAITING) throw error;
        waiting += 1;
        await setTimeout(LOOK_INTERVAL);
        waiting -= 1;
      }
    }
  }

  const poolThat = ({ waits }: { waits: boolean }) => ({
    async connect() {
      const acquire = waits ? connectPatiently : connect;
      let client = await acquire();
      let failed = false;
      let statements = 0;
      const send = (sql: string, parameters: readonly unknown[]) =>
        client.query(sql, [...parameters]).catch((error: Error) => {
          failed = true;
          throw error;
        });
      return {
        async query(sql: string, parameters: readonly unknown[]) {
          statements += 1;
          // The first statement of a transaction is `begin`. A read that comes first is therefore not part of a
          // transaction.
          const mayRepeat = waits && statements === 1 && READ.test(sql);
          for (let attempt = 1; ; attempt += 1) {
            try {
              return await send(sql, parameters);
            } catch (error) {
              if (!mayRepeat || attempt === READ_ATTEMPTS || !isBrokenOff(error as Error)) throw error;
            }
            const replaced = client;
            client = await acquire();
            replaced.release(true);
            failed = false;
          }
        },
        release: (discarded = false) => client.release(failed || discarded),
      };
    },
    // A server that does not answer never closes the connections, and the process could not stop.
    end: () => Promise.race([pool.end(), setTimeout(CLOSE_TIMEOUT, undefined, { ref: false })]),
  });
  // pg and Kysely give the result of a statement other types; and this pool has no cursors, which Kysely never asks for
  // here.
  return poolThat as unknown as (_: { waits: boolean }) => PostgresPool;
}
