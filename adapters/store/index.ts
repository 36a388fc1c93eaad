import type { Kysely } from 'kysely';
import { type Store, StoreUnavailable } from '../../src/ports/store.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import { keyStore } from './keys.ts';
import type { PostgresLocation } from './postgres.ts';
import { rateStore } from './rates.ts';
import { erase, type Tables } from './schema.ts';
import type { Connections } from './sqlite.ts';
import { uploadStore } from './uploads.ts';

/** Where everything is kept: a PostgreSQL of many, or a file (or nothing, `:memory:`) of one machine. */
export type StoreLocation =
  | ({ readonly kind: 'postgres' } & PostgresLocation)
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
      // Reads a page of the file: one that is damaged answers `select 1` as well.
      await swift.selectFrom('applications').select('id').limit(1).execute();
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
  if (location.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(location);
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

/**
 * Codes for a store that cannot be reached or used now: Node's for a connection that failed, OpenSSL's for one that cannot be
 * trusted, and PostgreSQL's (SQLSTATE) for one that was refused, lost, read-only, out of room or locked too long.
 */
const UNREACHABLE =
  /^(E[A-Z]+$|EAI_AGAIN|ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|08|25006|28|3D|40|53|57|58)/;
/** pg has no code for what its pool and its sockets tell. */
const LOST = /timeout|terminated|not queryable|SSL connection/i;

/** SQLite's primary result codes (sqlite.org/rescode.html), and what its operator has to know. */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'another process holds the database file (SQLITE_BUSY)',
  6: 'another process holds the database file (SQLITE_LOCKED)',
  8: 'the database file cannot be written (SQLITE_READONLY)',
  10: 'the disk of the database file fails (SQLITE_IOERR)',
  11: 'the database file is damaged: stop, and restore a backup (SQLITE_CORRUPT)',
  13: 'the disk of the database file is full (SQLITE_FULL)',
  14: 'the database file cannot be opened (SQLITE_CANTOPEN)',
  26: 'the database file is damaged: stop, and restore a backup (SQLITE_NOTADB)',
};

function explain(error: unknown): never {
  const { code = '', message = '', errcode = 0 } = error as { code?: string; message?: string; errcode?: number };
  const sqlite = code === 'ERR_SQLITE_ERROR' ? SQLITE[errcode & 0xff] : undefined;
  if (sqlite !== undefined) throw new StoreUnavailable(sqlite, { cause: error });
  if (!UNREACHABLE.test(code) && !LOST.test(message)) throw error;
  throw new StoreUnavailable(`no connection to the database (${code || message})`, { cause: error });
}
