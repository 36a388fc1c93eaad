import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { BriefTag } from '../../src/wire/values.ts';

/** A boolean is stored as 0 or 1, and a list as JSON text. */
export interface Tables {
  applications: {
    id: string;
    owner: string;
    type: string;
    tag: string;
    version: number;
    draft: string | null;
    stepIndex: number;
    stepCount: number;
    documentIds: string;
    referentie: string | null;
    manual: number | null;
    reden: string | null;
    createdAt: string;
    updatedAt: string;
    submittedAt: string | null;
    /** Token of the request that submits the application; null when none does. */
    claim: string | null;
    /** Milliseconds since 1970 by the store's clock; null without a claim. */
    claimedUntil: number | null;
    /**
     * `<owner>|<type>`, or `<owner>|<type>|<registration>` when an owner can have one for each registration, while the
     * application is being sent, in doubt or in progress. Otherwise null. Unique.
     */
    slot: string | null;
    sentKey: string | null;
    /**
     * Fingerprint of what was sent under `sentKey`; `mixed` when different contents were; null when nothing was sent.
     */
    sentHash: string | null;
    sentAt: number | null;
  };
  keys: {
    owner: string;
    key: string;
    fingerprint: string;
    /** Id of the resource that the request with this key creates. */
    id: string;
    busyUntil: number;
    /** JSON of a `StoredAnswer`; null while there is none. */
    answer: string | null;
    createdAt: number;
  };
  uploads: {
    owner: string;
    /** The last attempt to upload began in this workspace. */
    workspace: string;
    wizardId: string;
    localId: string;
    documentId: string;
    categoryId: string;
    state: string;
    formaat: string | null;
    bestandsnaam: string | null;
    omvang: number | null;
    sha256: string | null;
    key: string | null;
    /** `|<application id>|` for each application that was or is being submitted with the document; empty for none. */
    links: string;
    /** 1 when the file was sent, or is being sent, to the document store without a confirmation; otherwise 0. */
    perhapsStored: number;
    claim: string | null;
    claimedUntil: number | null;
    createdAt: number;
  };
  leftovers: { documentId: string; key: string | null; since: number };
  leases: { name: string; holder: string; until: number };
  brieven: {
    briefId: string;
    workspace: string;
    /** The workspace whose current letter this is; null for an earlier letter. Unique. */
    slot: string | null;
    version: number;
    tag: BriefTag;
    sentAt: string | null;
    /** Token of an attempt to send the letter that did not certainly fail; null when there is none. */
    sending: string | null;
    content: string;
  };
}

interface TableUse<Table extends keyof Tables = keyof Tables> {
  // False when the service makes its rows again.
  readonly backedUp: boolean;
  // An archive of one workspace contains the rows.
  readonly archived: boolean;
  // Each row belongs to an `owner`: it changes with that name, and ends with it.
  readonly owned: Tables[Table] extends { owner: string } ? true : false;
}

// A table without an entry does not compile.
const TABLES = {
  applications: { backedUp: true, archived: true, owned: true },
  keys: { backedUp: true, archived: false, owned: true },
  uploads: { backedUp: true, archived: true, owned: true },
  leftovers: { backedUp: true, archived: false, owned: false },
  leases: { backedUp: false, archived: false, owned: false },
  brieven: { backedUp: true, archived: true, owned: false },
} as const satisfies { [Table in keyof Tables]: TableUse<Table> };

export type TableWith<Use extends keyof TableUse> = {
  [Table in keyof Tables]: (typeof TABLES)[Table][Use] extends true ? Table : never;
}[keyof Tables];

export const tableNames = (): (keyof Tables)[] => Object.keys(TABLES) as (keyof Tables)[];

export const tablesWith = <Use extends keyof TableUse>(use: Use): TableWith<Use>[] =>
  tableNames().filter((table): table is TableWith<Use> => TABLES[table][use]);

/** Keeps the schema. */
export async function erase(db: Kysely<Tables>): Promise<void> {
  for (const table of tableNames()) await db.deleteFrom(table).execute();
}

export const BATCH_SIZE = 200;

// Characters; one row can be longer.
const MAX_LENGTH = 1_000_000;

/**
 * Returns the number of rows. In statements of at most `BATCH_SIZE` rows and `MAX_LENGTH` characters: each must end
 * within the store's time limit.
 */
export async function insertRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: Iterable<Readonly<Record<string, unknown>>>,
): Promise<number> {
  let [count, length] = [0, 0];
  let batch: unknown[] = [];
  const insertBatch = async () => {
    // What was read from outside has no type, and Kysely's types do not follow a table whose name is a variable.
    if (batch.length > 0)
      await db
        .insertInto(table)
        .values(batch as never[])
        .execute();
    count += batch.length;
    [batch, length] = [[], 0];
  };
  for (const row of rows) {
    const own = lengthOf(row);
    if (batch.length === BATCH_SIZE || length + own > MAX_LENGTH) await insertBatch();
    batch.push(row);
    length += own;
  }
  await insertBatch();
  return count;
}

const lengthOf = (row: Readonly<Record<string, unknown>>): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/** The migrations of a store by name. They are applied in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

// A line break in a statement, with the spaces after it, stands for one space.
const statements = (...all: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of all) await sql.raw(statement.replace(/\n\s*/g, ' ')).execute(db);
  },
});

/** All migrations of the store. One that was released never changes (decisions/0041-migrations-only-add.md). */
export const MIGRATIONS: Migrations = {
  '001-applications': statements(
    `create table "applications" ("id" text primary key, "owner" text not null, "type" text not null,
      "tag" text not null, "version" integer not null, "draft" text, "stepIndex" integer not null,
      "stepCount" integer not null, "documentIds" text not null, "referentie" text, "manual" integer, "reden" text,
      "createdAt" text not null, "updatedAt" text not null, "submittedAt" text, "claim" text,
      "claimedUntil" double precision, "slot" text unique, "sentKey" text, "sentHash" text, "sentAt" double precision)`,
    'create index "applications_by_owner" on "applications" ("owner", "updatedAt")',
  ),
  '002-keys': statements(
    `create table "keys" ("owner" text not null, "key" text not null, "fingerprint" text not null, "id" text not null,
      "busyUntil" double precision not null, "answer" text, "createdAt" double precision not null,
      constraint "keys_primary" primary key ("owner", "key"))`,
    'create index "keys_by_age" on "keys" ("createdAt")',
  ),
  '003-uploads': statements(
    `create table "uploads" ("owner" text not null, "wizardId" text not null, "localId" text not null,
      "documentId" text not null unique, "categoryId" text not null, "state" text not null, "formaat" text,
      "bestandsnaam" text, "omvang" integer, "sha256" text, "key" text, "links" text not null,
      "perhapsStored" integer not null, "claim" text, "claimedUntil" double precision,
      "createdAt" double precision not null, constraint "uploads_primary" primary key ("owner", "wizardId", "localId"))`,
    'create index "uploads_by_age" on "uploads" ("state", "createdAt")',
    'create table "leftovers" ("documentId" text primary key, "key" text, "since" double precision not null)',
    'create table "leases" ("name" text primary key, "holder" text not null, "until" double precision not null)',
  ),
  '004-brief': statements(
    `create table "brieven" ("briefId" text primary key, "workspace" text not null, "slot" text unique,
      "version" integer not null, "tag" text not null, "sentAt" text, "sending" text, "content" text not null)`,
  ),
  '005-rates': statements(
    `create table "rates" ("key" text not null, "minute" integer not null, "count" integer not null,
      constraint "rates_primary" primary key ("key", "minute"))`,
  ),
  // The default is also the value of uploads that the previous version adds while both versions run.
  '006-upload-workspace': statements(`alter table "uploads" add column "workspace" text default 'default' not null`),
};

/** Several processes can call it at the same time. */
export const migrate = (db: Kysely<Tables>, schema?: string): Promise<void> => applyMigrations(db, MIGRATIONS, schema);

/**
 * Applies the migrations that a database does not have yet. Throws the error of the first that fails. Accepts those of
 * a newer version of the service (decisions/0041-migrations-only-add.md).
 *
 * @param schema - the schema with the tables; absent where a database has no schemas (SQLite)
 */
export async function applyMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  schema?: string,
): Promise<void> {
  // Kysely refuses a database with a migration that it is not given. SQLite has one connection, which the migrator
  // holds, so they are read before it.
  const applied = await appliedTo(db, schema);
  const provider = { getMigrations: async () => ({ ...Object.fromEntries(applied), ...migrations }) };
  const where = schema === undefined ? {} : { migrationTableSchema: schema };
  const { error } = await new Migrator({ db, provider, ...where }).migrateToLatest();
  if (error) throw error;
}

const TABLE = 'kysely_migration';
const NOTHING: Migration = { up: async () => undefined };

// Returns the applied migrations, each as a migration that does nothing.
async function appliedTo<Tables>(db: Kysely<Tables>, schema?: string): Promise<[name: string, Migration][]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === TABLE && table.schema === schema)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)}`.execute(db);
  return rows.map(({ name }) => [name, NOTHING]);
}

/**
 * Returns the schema of PostgreSQL with the table of migrations, or where to make it: another schema can have a table
 * of that name as well. Undefined when the connection can use no schema.
 */
export async function findSchema<Tables>(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string | null }>`select coalesce((select nspname from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace where pg_class.oid = to_regclass(${TABLE})),
    current_schema()) as schema`.execute(db);
  return rows[0]?.schema ?? undefined;
}
