import type { Kysely, LogEvent } from 'kysely';
import type { DocumentIndex } from '../../src/ports/inventory.ts';
import type { PoolStats } from '../../src/ports/meters.ts';
import { type RetentionStore, type Store, StoreUnavailable } from '../../src/ports/store/store.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import type { StatementStep } from '../../src/ports/tracing.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import type { StoreConnections } from './connections.ts';
import { keyStore } from './keys.ts';
import { type OwnerStore, ownerStore } from './owners.ts';
import type { PostgresLocation } from './postgres.ts';
import { rateStore } from './rates.ts';
import { retentionStore } from './retention.ts';
import { erase, type Tables } from './schema.ts';
import { documentIndex, uploadStore } from './uploads.ts';

/** A PostgreSQL database for several instances of the service, or an SQLite file (or `:memory:`) for one machine. */
export type StoreLocation =
  | ({ readonly kind: 'postgres' } & PostgresLocation)
  | { readonly kind: 'sqlite'; readonly folder: string };

/** An open store, with the parts that are not in `Store`. */
export interface OpenStore extends Store {
  readonly db: Kysely<Tables>;
  /** Null for SQLite, which has none. */
  pool(): PoolStats | null;
  readonly retention: RetentionStore;
  readonly owners: OwnerStore;
  readonly documentIndex: DocumentIndex;
  erase(): Promise<void>;
}

export type OnStatement = (statement: StatementStep) => void;

/**
 * Opens the store and migrates its schema. Loads the code of only one database engine. `onStatement` is for tracing.
 */
export async function openStore(
  location: StoreLocation,
  onStatement?: OnStatement,
  timing = TIMING,
): Promise<OpenStore> {
  const connections = await connect(location, timing, onStatement && ((event) => onStatement(statementOf(event))));
  const { durable } = connections;
  return {
    applications: withStoreErrors(applicationStore(connections)),
    keys: withStoreErrors(keyStore(connections)),
    uploads: withStoreErrors(uploadStore(connections)),
    brieven: withStoreErrors(briefStore(connections)),
    rates: withStoreErrors(rateStore(connections)),
    retention: withStoreErrors(retentionStore(connections)),
    owners: withStoreErrors(ownerStore(connections)),
    documentIndex: documentIndex(connections),
    async ping() {
      await connections.ping().catch(rethrow);
    },
    db: durable,
    pool: () => connections.pool?.() ?? null,
    erase: () => erase(durable),
    close: connections.close,
  };
}

async function connect(
  location: StoreLocation,
  timing: Timing,
  log?: (event: LogEvent) => void,
): Promise<StoreConnections> {
  if (location.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(location, timing, log);
  return (await import('./sqlite.ts')).openSqlite(location.folder, log);
}

const TABLE = /\b(?:from|into|update)\s+"?(\w+)\b(?!\()/i;

// For a trace: neither can contain a value from a query.
function statementOf({ level, query, queryDurationMillis }: LogEvent): StatementStep {
  const [verb = ''] = /^\s*[a-z]+/i.exec(query.sql) ?? [];
  return {
    kind: 'statement',
    verb: verb.trim().toLowerCase(),
    table: TABLE.exec(query.sql)?.[1] ?? '',
    failed: level === 'error',
    end: Date.now(),
    ms: queryDurationMillis,
  };
}

// The methods throw `StoreUnavailable` when the database cannot be used now.
const withStoreErrors = <Port extends object>(port: Port): Port =>
  new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? (...args: unknown[]) => method(...args).catch(rethrow) : method;
    },
  });

// Codes of Node, OpenSSL and PostgreSQL.
const UNREACHABLE =
  /^(E[A-Z]+$|EAI_AGAIN|ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|08|25006|28|3D|40|53|57|58)/;
// Errors about a lost connection that have no code.
const CONNECTION_LOST = /timeout|terminated|not queryable|SSL connection/i;

// Reasons for the log. The keys are SQLite's primary result codes (sqlite.org/rescode.html).
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  5: 'another process holds the database file (SQLITE_BUSY)',
  6: 'another process holds the database file (SQLITE_LOCKED)',
  8: 'the database file cannot be written (SQLITE_READONLY)',
  10: 'the disk of the database file fails (SQLITE_IOERR)',
  11: 'the database file is damaged: stop, and restore a backup (SQLITE_CORRUPT)',
  13: 'the disk of the database file is full (SQLITE_FULL)',
  14: 'the database file cannot be opened (SQLITE_CANTOPEN)',
  26: 'the database file is damaged: stop, and restore a backup (SQLITE_NOTADB)',
};

// Reasons for the log, when PostgreSQL answers but cannot do what was asked. The keys are SQLSTATE codes.
const POSTGRES_REASONS: Readonly<Record<string, string>> = {
  '25006': 'PostgreSQL is read-only (25006)',
  '25P03': 'PostgreSQL ended a transaction whose instance was silent (25P03)',
  '53100': 'the disk of PostgreSQL is full (53100)',
  '53300': 'PostgreSQL has no connections left (53300)',
  '57014': 'PostgreSQL ended a statement that took too long, or that somebody cancelled (57014)',
};

function rethrow(error: unknown): never {
  const { code = '', message = '', errcode = 0 } = error as { code?: string; message?: string; errcode?: number };
  const known = code === 'ERR_SQLITE_ERROR' ? SQLITE_REASONS[errcode & 0xff] : POSTGRES_REASONS[code];
  if (known !== undefined) throw new StoreUnavailable(known, { cause: error });
  if (!UNREACHABLE.test(code) && !CONNECTION_LOST.test(message)) throw error;
  throw new StoreUnavailable(`no connection to the database (${code || message})`, { cause: error });
}
