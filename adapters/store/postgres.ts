import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  Kysely,
  type LogConfig,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type RawBuilder,
  sql,
} from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { Deadline, runningTime } from '../../src/ports/deadline.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import { lookup } from '../http/connector.ts';
import { createSingleWriter, type StoreConnections } from './connections.ts';
import { findSchema, migrate, type Tables } from './schema.ts';

// Connections of one process.
const POOL_SIZE = 10;
// Milliseconds for each statement.
const MIGRATION_TIMEOUT = 60_000;

// Minimum milliseconds between two attempts while the server cannot be reached.
const RECONNECT_INTERVAL = 200;
// Statements that wait for a restart; those in the queue of pg's pool do not count.
const MAX_WAITING = 50;
// Milliseconds.
const POLL_INTERVAL = 25;
// Milliseconds to wait for the server when the process stops.
const CLOSE_TIMEOUT = 500;
// Begins a transaction and sets its timeout, in one message. The setting is sent with each transaction, because behind
// PgBouncer the next one may use another connection to PostgreSQL, and that connection may then go to another program.
const begin = ({ transactionSilence }: Timing): string =>
  `begin; set local idle_in_transaction_session_timeout = ${transactionSilence}`;
// The lock that Kysely takes, so that an older version that starts at the same time waits too.
const MIGRATION_LOCK = 3_853_314_791_062_309_107n;
// Several idle connections can be closed at once.
const READ_ATTEMPTS = 3;
const READ = /^\s*select\b/i;

/** `ca` is the PEM text of the authorities to trust instead of Node's list. */
export interface PostgresLocation {
  readonly url: string;
  readonly ca?: string;
}

/** Call it once and not for each connection, because it parses the URL and can throw. */
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

// pg calls `connect` with a port and a host name, or with the path of a Unix socket.
function createSocket(): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  return Object.assign(socket, {
    connect: (at: number | string, host?: string) =>
      typeof at === 'string' ? connect(at) : connect({ port: at, ...(host !== undefined && { host }), lookup }),
  });
}

/** Opens the database and migrates its schema. Rejects when it cannot be used. */
export async function openPostgres(
  location: PostgresLocation,
  timing: Timing,
  log?: LogConfig,
): Promise<StoreConnections> {
  const common = connectionOptions(location, timing);
  // Kysely asks what tables there are after a statement failed, and PostgreSQL answers only 25P02 in that transaction.
  let failed: unknown;
  const { db: migrationDb } = connect(
    new pg.Pool({ ...common, max: 2 }),
    { ...timing, statementAnswer: MIGRATION_TIMEOUT },
    (event) => {
      if (event.level === 'error') failed ??= event.error;
    },
  );
  await migrationDb
    .transaction()
    .execute(async (db) => {
      await demandSettings(db);
      await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
      await migrate(db, await findSchema(db));
    })
    .catch((error) => {
      throw failed ?? error;
    })
    .finally(() => migrationDb.destroy());
  const pool = new pg.Pool({ ...common, max: POOL_SIZE, statement_timeout: timing.statement, keepAlive: true });
  const { db, probe } = connect(pool, timing, log);
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
    now: DATABASE_NOW,
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

// Kysely's own lock belongs to a session. Behind PgBouncer that is a connection to PostgreSQL which others use too: the lock
// would stay on it, and every later start would wait.
class LocklessAdapter extends PostgresAdapter {
  override acquireMigrationLock = async (): Promise<void> => undefined;
  override releaseMigrationLock = async (): Promise<void> => undefined;
}

class Dialect extends PostgresDialect {
  override createAdapter = () => new LocklessAdapter();
}

// A name can have any character. With another isolation, a conditional update fails when its row was changed meanwhile,
// and a transaction that waited for a lock does not see what the one before it stored.
async function demandSettings(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<Record<'encoding' | 'isolation', string>>`select
    current_setting('server_encoding') as encoding, current_setting('default_transaction_isolation') as isolation`.execute(
    db,
  );
  for (const { encoding, isolation } of rows) {
    if (!/^(UTF8|SQL_ASCII)$/.test(encoding)) throw new Error(`encoding ${encoding}`);
    if (!/^read (un)?committed$/.test(isolation)) throw new Error(`isolation ${isolation}`);
  }
}

// `probe` is for checks: it never waits for a restart of the server.
function connect(pool: pg.Pool, timing: Timing, log?: LogConfig): Record<'db' | 'probe', Kysely<Tables>> {
  // A lost connection emits `error`, also when it is idle; without a listener that ends the process. A running
  // statement is rejected too, and the pool opens a new connection for the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const createPool = poolFactory(pool, timing);
  const kysely = (waitsForRestart: boolean) =>
    new Kysely<Tables>({ dialect: new Dialect({ pool: createPool({ waitsForRestart }) }), ...(log && { log }) });
  return { db: kysely(true), probe: kysely(false) };
}

// In milliseconds. A moment that is further away is not converted to the clock of PostgreSQL.
const YEAR = 365 * 24 * 60 * 60 * 1_000;

const DATABASE_NOW = sql<number>`(floor(extract(epoch from now()) * 1000)::double precision)`;

const databaseClock = (moment: number): RawBuilder<number> => {
  const away = moment - Date.now();
  if (Math.abs(away) > YEAR) return sql<number>`${moment}::double precision`;
  return sql<number>`(${DATABASE_NOW} + ${away}::double precision)`;
};

const isConnectionLost = ({ message, code = '' }: Error & { code?: string }): boolean =>
  /^(57P01|57P02|ECONNRESET|EPIPE)$/.test(code) || /connection terminated/i.test(message);

// All pools use the same pool of pg. With `waitsForRestart` a statement waits at most `storeRestart`, and a read
// whose connection was lost is sent again. A connection whose statement failed is closed, not used again.
function poolFactory(pool: pg.Pool, timing: Timing): (options: { readonly waitsForRestart: boolean }) => PostgresPool {
  const { connect, connectDuringRestart } = createConnector(pool, timing);

  const createPool = ({ waitsForRestart }: { readonly waitsForRestart: boolean }) => ({
    async connect() {
      const acquire = waitsForRestart ? connectDuringRestart : connect;
      let client = await acquire();
      let failed = false;
      let released = false;
      let statements = 0;
      const send = (sql: string, parameters: readonly unknown[]) =>
        new Promise<pg.QueryResult>((resolve, reject) => {
          const fail = (error: Error) => {
            failed = true;
            reject(error);
          };
          // Not pg's own timeout, which counts a pause of this process.
          const deadline = new Deadline(timing.statementAnswer, () => fail(new Error('timeout of the statement')));
          client
            .query(sql, [...parameters])
            .finally(() => deadline.cancel())
            .then(resolve, fail);
        });
      return {
        async query(sql: string, parameters: readonly unknown[]) {
          statements += 1;
          // A read in a transaction is never the first statement: that is `begin`.
          const mayRepeat = waitsForRestart && statements === 1 && READ.test(sql);
          for (let attempt = 1; ; attempt += 1) {
            try {
              return await send(sql === 'begin' ? begin(timing) : sql, parameters);
            } catch (error) {
              if (!mayRepeat || attempt === READ_ATTEMPTS || !isConnectionLost(error as Error)) throw error;
            }
            // The connection is released first: when all connections of the pool are lost, their reads would wait for
            // each other.
            client.release(true);
            released = true;
            client = await acquire();
            released = false;
            failed = false;
          }
        },
        release(discarded = false) {
          if (!released) client.release(failed || discarded);
        },
      };
    },
    end: () => closePool(pool),
  });
  // pg and Kysely give the result of a statement other types; and this pool has no cursors, which Kysely never asks for
  // here.
  return createPool as unknown as (options: { readonly waitsForRestart: boolean }) => PostgresPool;
}

// A server that does not answer never closes the connections, and the process could not stop.
async function closePool(pool: pg.Pool): Promise<void> {
  if (!pool.ending) await Promise.race([pool.end(), setTimeout(CLOSE_TIMEOUT, undefined, { ref: false })]);
}

// `connectDuringRestart` tries again while the server may be restarting.
function createConnector(pool: pg.Pool, timing: Timing) {
  let failure: Error | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let waitUntil = Number.NEGATIVE_INFINITY;
  let hasConnected = false;
  let waiting = 0;

  // One new attempt in each `RECONNECT_INTERVAL` after one that failed.
  function limitAttempts(): void {
    if (failure === undefined) return;
    if (performance.now() - triedAt < RECONNECT_INTERVAL) throw failure;
    triedAt = performance.now();
  }

  async function connect(): Promise<pg.PoolClient> {
    if (pool.idleCount === 0) limitAttempts();
    const start = runningTime();
    return pool.connect().then(
      (client) => {
        failure = undefined;
        hasConnected = true;
        return client;
      },
      (error: Error) => {
        if (failure === undefined && hasConnected) waitUntil = start + timing.storeRestart;
        failure = error;
        throw error;
      },
    );
  }

  async function connectDuringRestart(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await connect();
      } catch (error) {
        if (pool.ending || runningTime() >= waitUntil || waiting >= MAX_WAITING) throw error;
        waiting += 1;
        await setTimeout(POLL_INTERVAL);
        waiting -= 1;
      }
    }
  }

  return { connect, connectDuringRestart };
}
