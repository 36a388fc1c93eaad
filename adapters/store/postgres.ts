import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate, type Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';

/** Connections of one process; enough for its 64 calls to each upstream, which take far longer than a statement. */
const CONNECTIONS = 10;

/** Opens the database at a `postgres://` URL and brings it to the present schema. Every commit is on the disk. */
export async function openPostgres(url: string): Promise<Connections> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    application_name: 'zorgregister-bff',
  });
  // An idle connection that the server closes is replaced at the next statement; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  return { swift: db, sure: db };
}
