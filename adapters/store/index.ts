import { type ExpressionBuilder, type Kysely, type LogEvent, type RawBuilder, type Selectable, sql } from 'kysely';
import type { PoolStats } from '../../src/ports/meters.ts';
import { type KeyStore, type RetentionStore, type Store, StoreUnavailable } from '../../src/ports/store/store.ts';
import type { LeftoverStore, UploadStore } from '../../src/ports/store/uploads.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import type { StatementStep } from '../../src/ports/tracing.ts';
import { applicationStore } from './applications.ts';
import { briefStore } from './brieven.ts';
import { hasEnded, isFree } from './claims.ts';
import type { StoreConnections } from './connections.ts';
import type { PostgresLocation } from './postgres.ts';
import { erase, type Tables, type TableWith, tablesWith } from './schema.ts';
import { uploadStore } from './uploads.ts';

/** A PostgreSQL database for several instances of the service, or an SQLite file (or `:memory:`) for one machine. */
export type StoreLocation =
  | ({ readonly kind: 'postgres' } & PostgresLocation)
  | { readonly kind: 'sqlite'; readonly folder: string };

/** An open store, with the parts that are not in `Store`. */
export interface OpenStore extends Store {
  readonly uploads: UploadStore & LeftoverStore;
  readonly db: Kysely<Tables>;
  /** Null for SQLite, which has none. */
  pool(): PoolStats | null;
  readonly retention: RetentionStore;
  readonly owners: OwnerStore;
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
    retention: withStoreErrors(retentionStore(connections)),
    owners: withStoreErrors(ownerStore(connections)),
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

// Returns a statement for a trace. The text and the duration contain no value of a query.
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
  /^(E[A-Z]+$|EAI_AGAIN|ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|08|25006|28|3D|40|53|55|57|58|XX)/;
// Errors about a lost connection that have no code.
const CONNECTION_LOST = /timeout|terminated|not queryable|SSL connection/i;

// Reasons for the log. The keys are SQLite's result codes (sqlite.org/rescode.html).
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  5: 'another process holds the database file (SQLITE_BUSY)',
  6: 'another process holds the database file (SQLITE_LOCKED)',
  8: 'the database file cannot be written (SQLITE_READONLY)',
  10: 'the disk of the database file fails (SQLITE_IOERR)',
  11: 'the database file is damaged: stop, and restore a backup (SQLITE_CORRUPT)',
  13: 'the disk of the database file is full (SQLITE_FULL)',
  14: 'the database file cannot be opened (SQLITE_CANTOPEN)',
  26: 'the database file is damaged: stop, and restore a backup (SQLITE_NOTADB)',
  1032: 'the database file or its -wal was moved, removed or replaced (SQLITE_READONLY_DBMOVED)',
};

// Reasons for the log, when PostgreSQL answers but cannot do what was asked. The keys are SQLSTATE codes.
const POSTGRES_REASONS: Readonly<Record<string, string>> = {
  '25006': 'PostgreSQL is read-only (25006)',
  '25P03': 'PostgreSQL ended a transaction whose instance was silent (25P03)',
  '25P04': 'PostgreSQL ended a transaction that took too long (25P04)',
  '42501': 'PostgreSQL does not give this user the right to do this (42501)',
  '42P01': 'PostgreSQL has lost a table (42P01)',
  '53100': 'the disk of PostgreSQL is full (53100)',
  '53300': 'PostgreSQL has no connections left (53300)',
  '57014': 'PostgreSQL ended a statement that took too long, or that somebody cancelled (57014)',
};

function rethrow(error: unknown): never {
  const { code = '', message = '', errcode = 0 } = error as { code?: string; message?: string; errcode?: number };
  const known =
    code === 'ERR_SQLITE_ERROR' ? (SQLITE_REASONS[errcode] ?? SQLITE_REASONS[errcode & 0xff]) : POSTGRES_REASONS[code];
  if (known !== undefined) throw new StoreUnavailable(known, { cause: error });
  if (!UNREACHABLE.test(code) && !CONNECTION_LOST.test(message)) throw error;
  throw new StoreUnavailable(`no connection to the database (${code || message})`, { cause: error });
}

const is = (values: Partial<Selectable<Tables['keys']>>) => (where: ExpressionBuilder<Tables, 'keys'>) =>
  where.and(values);

/** Old keys are deleted by `retentionStore`. */
function keyStore({ relaxed, durable, atStore }: StoreConnections): KeyStore {
  const now = () => atStore(Date.now());

  return {
    async open(owner, key, fingerprint, id, until) {
      const added = await durable
        .insertInto('keys')
        .values({ owner, key, fingerprint, id, busyUntil: atStore(until), answer: null, createdAt: now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('busyUntil as claim')
        .executeTakeFirst();
      if (added) return { state: 'open', id, retry: false, ...added };
      const row = await relaxed.selectFrom('keys').selectAll().where(is({ owner, key })).executeTakeFirst();
      if (row === undefined) return { state: 'busy' };
      if (row.fingerprint !== fingerprint) return { state: 'other' };
      if (row.answer !== null) return { state: 'done', answer: JSON.parse(row.answer) };
      const taken = await durable
        .updateTable('keys')
        .set({ busyUntil: atStore(until) })
        .where(is({ owner, key, answer: null }))
        .where(hasEnded('busyUntil', now()))
        .returning('busyUntil as claim')
        .executeTakeFirst();
      return taken ? { state: 'open', id: row.id, retry: true, ...taken } : { state: 'busy' };
    },

    async keep(owner, key, answer) {
      await durable
        .updateTable('keys')
        .set({ answer: JSON.stringify(answer), busyUntil: 0 })
        .where(is({ owner, key, answer: null }))
        .execute();
    },

    // A retry that took over has another moment in `busyUntil`.
    async release(owner, key, claim) {
      await relaxed
        .updateTable('keys')
        .set({ busyUntil: 0 })
        .where(is({ owner, key, answer: null, busyUntil: claim }))
        .execute();
    },

    async forget(owner, key, claim) {
      await relaxed
        .deleteFrom('keys')
        .where(is({ owner, key, answer: null, busyUntil: claim }))
        .execute();
    },
  };
}

// One day in milliseconds.
const KEY_RETENTION = 24 * 60 * 60 * 1_000;
// Maximum for one call.
const MAX_CONCEPTS = 1_000;

const retentionStore = ({ durable, atStore, now }: StoreConnections): RetentionStore => ({
  async expire(conceptsBefore) {
    const keys = await durable
      .deleteFrom('keys')
      .where('createdAt', '<', atStore(Date.now() - KEY_RETENTION))
      .executeTakeFirst();
    const expiredKeys = Number(keys.numDeletedRows);
    if (conceptsBefore === null) return { concepts: 0, keys: expiredKeys, owners: [] };
    // By the clock that is behind: a process whose own is a year ahead would delete every Concept, and one whose own is a
    // year behind would lose those that it has just written with that clock.
    const age = Date.now() - Date.parse(conceptsBefore);
    const { moment } = await durable.selectNoFrom(sql<number>`${now} - ${age}`.as('moment')).executeTakeFirstOrThrow();
    const before = new Date(Math.min(moment, Date.parse(conceptsBefore))).toISOString();
    const isExpired = (where: ExpressionBuilder<Tables, 'applications'>) =>
      where.and([
        where('tag', '=', 'Concept'),
        where('updatedAt', '<', before),
        where('sentKey', 'is', null),
        isFree(atStore(Date.now())),
      ]);
    const concepts = await durable
      .deleteFrom('applications')
      .where('id', 'in', (from) =>
        from.selectFrom('applications').select('id').where(isExpired).orderBy('updatedAt').limit(MAX_CONCEPTS),
      )
      // The condition is in the statement too, because the owner may have saved the Concept in the meantime.
      .where(isExpired)
      .returning('owner')
      .execute();
    const owners = [...new Set(concepts.map(({ owner }) => owner))];
    return { concepts: concepts.length, keys: expiredKeys, owners };
  },
});

export interface OwnerStore {
  /**
   * Gives the data of the names `from` to the owner `to`, in one transaction; also the authors in the current letter of
   * `workspace`, but not in other letters. An idempotency key that `to` already has keeps its old owner.
   */
  rename(from: readonly string[], to: string, workspace: string): Promise<void>;
}

const RENAME: Readonly<Record<TableWith<'owned'>, (name: string, to: string) => RawBuilder<unknown>>> = {
  applications(name, to) {
    // When the new name already has an open application of this type, that one keeps the unique slot. The register has
    // both.
    const slot = sql`${to} || substr(applications.slot, length(applications.owner) + 1)`;
    const isTaken = sql`exists (select 1 from applications as other where other.slot = ${slot})`;
    return sql`update applications set owner = ${to},
      slot = case when slot is null or ${isTaken} then null else ${slot} end where owner = ${name}`;
  },
  // A key that the new name already has keeps its old owner: the row under the new name is more recent.
  keys: (name, to) => sql`update keys set owner = ${to} where owner = ${name}
    and not exists (select 1 from keys as other where other.owner = ${to} and other.key = keys.key)`,
  uploads(name, to) {
    // When the new name already has an upload with this `localId`, the id of the document takes its place: an application
    // can refer to that document, which the sweeper would remove as long as it has another owner.
    const isTaken = sql`exists (select 1 from uploads as other where other.owner = ${to}
      and other."wizardId" = uploads."wizardId" and other."localId" = uploads."localId")`;
    return sql`update uploads set owner = ${to},
      "localId" = case when ${isTaken} then "documentId" else "localId" end where owner = ${name}`;
  },
};

function ownerStore({ relaxed, serialized }: StoreConnections): OwnerStore {
  const isAuthor = (name: string, workspace: string) =>
    sql<boolean>`slot = ${workspace} and replace(content, ${name}, '') <> content`;

  async function isUsed(name: string, workspace: string): Promise<boolean> {
    const found = await Promise.all([
      ...tablesWith('owned').map((table) =>
        relaxed.selectFrom(table).select('owner').where('owner', '=', name).limit(1).execute(),
      ),
      relaxed.selectFrom('brieven').select('briefId').where(isAuthor(name, workspace)).limit(1).execute(),
    ]);
    return found.some(({ length }) => length > 0);
  }

  return {
    async rename(from, to, workspace) {
      const used: string[] = [];
      for (const name of from) if (await isUsed(name, workspace)) used.push(name);
      if (used.length === 0) return;
      await serialized(`owner|${to}`, async (db) => {
        for (const name of used) {
          for (const rename of Object.values(RENAME)) await rename(name, to).execute(db);
          await db
            .updateTable('brieven')
            .set({ content: sql`replace(content, ${name}, ${to})`, version: sql`version + 1` })
            .where(isAuthor(name, workspace))
            .execute();
        }
      });
    },
  };
}
