import { type Kysely, sql } from 'kysely';
import { type Store, StoreUnavailable } from '../../src/ports/store.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import { keyStore } from './keys.ts';
import { rateStore } from './rates.ts';
import { erase, type Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';
import { uploadStore } from './uploads.ts';

/** Where everything is kept: a PostgreSQL of many, or a file (or nothing, `:memory:`) of one machine. */
export type StoreLocation =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly folder: string };

export interface OpenStore extends Store {
  /** The database itself, for whoever keeps more in order in it than the service does. */
  readonly db: Kysely<Tables>;
  erase(): Promise<void>;
}

/** Opens the store at a location, its schema brought up to date. Each engine is loaded when it is asked for. */
export async function openStore(location: StoreLocation): Promise<OpenStore> {
  const connections = await connect(location);
  const { swift, sure } = connections;
  return {
    applications: guarded(applicationStore(connections)),
    keys: guarded(keyStore(connections)),
    uploads: guarded(uploadStore(connections)),
    brieven: guarded(briefStore(connections)),
    rates: guarded(rateStore(connections)),
    async ping() {
      await sql`select 1`.execute(swift);
    },
    db: sure,
    erase: () => erase(sure),
    async close() {
      await swift.destroy();
      if (sure !== swift) await sure.destroy();
    },
  };
}

async function connect(location: StoreLocation): Promise<Connections> {
  if (location.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(location.url);
  return (await import('./sqlite.ts')).openSqlite(location.folder);
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/** The same methods, which say in the port's own word that the store cannot be reached. */
const guarded = <Port extends object>(port: Port): Port =>
  Object.fromEntries(
    Object.entries(port as Methods).map(([name, method]) => [
      name,
      (...args: never[]) => method(...args).catch(explain),
    ]),
  ) as Port;

function explain(error: unknown): never {
  const { code = '', message = '', errcode } = error as { code?: string; message?: string; errcode?: number };
  if (errcode !== undefined && SQLITE_AWAY.has(errcode & 0xff))
    throw new StoreUnavailable(`SQLite error ${errcode}`, { cause: error });
  // Node's and PostgreSQL's codes for a connection that failed, was refused, ended, or took too long; pg has none for its pool.
  const gone = /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|08|53|57)/.test(String(code)) || /timeout|terminated/i.test(message);
  throw gone ? new StoreUnavailable(String(code) || 'no connection', { cause: error }) : error;
}

/**
 * SQLite's codes (https://www.sqlite.org/rescode.html) for a file that cannot be written or read now: BUSY, LOCKED, READONLY,
 * IOERR, FULL, CANTOPEN. The lowest eight bits of an extended code are the code.
 */
const SQLITE_AWAY = new Set([5, 6, 8, 10, 13, 14]);
