import { Socket } from 'node:net';
import { Kysely, type LogConfig, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { TIMING, type Timing } from '../../../src/ports/timing.ts';
import { lookup } from '../../http/lookup.ts';
import { databaseClock, databaseNow } from './clock.ts';
import { findSchema } from './migrations.ts';
import { closePool, poolFactory } from './postgres-pool.ts';
import { migrate, type Tables } from './schema.ts';
import type { StoreConnections } from './sqlite.ts';
import { createSingleWriter } from './write-batch.ts';

/** Number of connections in the pool of one process. */
const POOL_SIZE = 10;

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
export function connectionOptions({ url, ca }: PostgresLocation, { storeConnect } = TIMING): pg.ClientConfig {
  const { ssl, ...address } = parseIntoClientConfig(url);
  const verified = ca === undefined ? ssl : { ...(typeof ssl === 'object' && ssl), ca };
  return {
    application_name: 'zorgregister-bff',
    ...address,
    ...(verified !== undefined && { ssl: verified }),
    connectionTimeoutMillis: storeConnect,
    stream: createSocket,
  };
}

/** Returns a socket for pg, which calls its `connect` with a port and a host name, or with the path of a Unix socket. */
function createSocket(): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  return Object.assign(socket, {
    connect: (at: number | string, host?: string) =>
      typeof at === 'string' ? connect(at) : connect({ port: at, ...(host !== undefined && { host }), lookup }),
  });
}

/** Opens the database at a `postgres://` URL and migrates its schema. Rejects when the database cannot be used. */
export async function openPostgres(
  location: PostgresLocation,
  timing: Timing,
  log?: LogConfig,
): Promise<StoreConnections> {
  const common = connectionOptions(location, timing);
  const { db: migrationDb } = connect(new pg.Pool({ ...common, max: 2 }), MIGRATION_TIMEOUT);
  await findSchema(migrationDb)
    .then((schema) => migrate(migrationDb, schema))
    .finally(() => migrationDb.destroy());
  const pool = new pg.Pool({
    ...common,
    max: POOL_SIZE,
    statement_timeout: timing.statement,
    keepAlive: true,
  });
  const { db, probe } = connect(pool, timing.statementAnswer, log);
  // A server that is read-only, such as a standby, refuses `for update`, also when there is no row to lock.
  const ping = () => probe.selectFrom('applications').select('id').limit(0).forUpdate().execute();
  // The migration writes nothing when the schema is up to date. PgBouncer refuses a setting of these connections that
  // those of the migration do not have.
  await ping().catch(async (error) => {
    await closePool(pool);
    throw error;
  });
  return {
    relaxed: db,
    durable: db,
    ping,
    write: createSingleWriter(db),
    atStore: databaseClock,
    now: databaseNow,
    pool: () => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    // Without the lock, a transaction does not see the rows that others are adding at the same time.
    serialized: (key, work) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
        return work(transaction);
      }),
    // Not `destroy` of Kysely, which does nothing for a `db` that has run no statement.
    close: () => closePool(pool),
  };
}

/**
 * Returns two Kysely connections on this pool: `db` for statements, and `probe` for checks, which never waits for a
 * restart of the server.
 *
 * @param answerTimeout - maximum number of milliseconds until the result of one statement arrives
 * @param log - gets each statement
 */
function connect(pool: pg.Pool, answerTimeout: number, log?: LogConfig): Record<'db' | 'probe', Kysely<Tables>> {
  // A lost connection emits `error`, also when it is idle; without a listener that ends the process. A running
  // statement is rejected too, and the pool opens a new connection for the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const createPool = poolFactory(pool, answerTimeout);
  const kysely = (waitsForRestart: boolean) =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: createPool({ waitsForRestart }) }),
      ...(log && { log }),
    });
  return { db: kysely(true), probe: kysely(false) };
}
