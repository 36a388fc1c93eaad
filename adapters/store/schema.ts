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
  leftovers: {
    documentId: string;
    key: string | null;
    since: number;
  };
  leases: {
    name: string;
    holder: string;
    until: number;
  };
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

/** All migrations of the store. One that was released never changes (decisions/0041-migrations-only-add.md). */
export const MIGRATIONS: Migrations = {
  '001-applications': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('applications')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('draft', 'text')
        .addColumn('stepIndex', 'integer', (column) => column.notNull())
        .addColumn('stepCount', 'integer', (column) => column.notNull())
        .addColumn('documentIds', 'text', (column) => column.notNull())
        .addColumn('referentie', 'text')
        .addColumn('manual', 'integer')
        .addColumn('reden', 'text')
        .addColumn('createdAt', 'text', (column) => column.notNull())
        .addColumn('updatedAt', 'text', (column) => column.notNull())
        .addColumn('submittedAt', 'text')
        .addColumn('claim', 'text')
        .addColumn('claimedUntil', 'double precision')
        .addColumn('slot', 'text', (column) => column.unique())
        .addColumn('sentKey', 'text')
        .addColumn('sentHash', 'text')
        .addColumn('sentAt', 'double precision')
        .execute();
      await db.schema.createIndex('applications_by_owner').on('applications').columns(['owner', 'updatedAt']).execute();
    },
  },
  '002-keys': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('keys')
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('busyUntil', 'double precision', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addColumn('createdAt', 'double precision', (column) => column.notNull())
        .addPrimaryKeyConstraint('keys_primary', ['owner', 'key'])
        .execute();
      await db.schema.createIndex('keys_by_age').on('keys').column('createdAt').execute();
    },
  },
  '003-uploads': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('uploads')
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('wizardId', 'text', (column) => column.notNull())
        .addColumn('localId', 'text', (column) => column.notNull())
        .addColumn('documentId', 'text', (column) => column.notNull().unique())
        .addColumn('categoryId', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('formaat', 'text')
        .addColumn('bestandsnaam', 'text')
        .addColumn('omvang', 'integer')
        .addColumn('sha256', 'text')
        .addColumn('key', 'text')
        .addColumn('links', 'text', (column) => column.notNull())
        .addColumn('perhapsStored', 'integer', (column) => column.notNull())
        .addColumn('claim', 'text')
        .addColumn('claimedUntil', 'double precision')
        .addColumn('createdAt', 'double precision', (column) => column.notNull())
        .addPrimaryKeyConstraint('uploads_primary', ['owner', 'wizardId', 'localId'])
        .execute();
      await db.schema.createIndex('uploads_by_age').on('uploads').columns(['state', 'createdAt']).execute();
      await db.schema
        .createTable('leftovers')
        .addColumn('documentId', 'text', (column) => column.primaryKey())
        .addColumn('key', 'text')
        .addColumn('since', 'double precision', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('leases')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('holder', 'text', (column) => column.notNull())
        .addColumn('until', 'double precision', (column) => column.notNull())
        .execute();
    },
  },
  '004-brief': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('brieven')
        .addColumn('briefId', 'text', (column) => column.primaryKey())
        .addColumn('workspace', 'text', (column) => column.notNull())
        .addColumn('slot', 'text', (column) => column.unique())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('sentAt', 'text')
        .addColumn('sending', 'text')
        .addColumn('content', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '005-rates': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('rates')
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('minute', 'integer', (column) => column.notNull())
        .addColumn('count', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('rates_primary', ['key', 'minute'])
        .execute();
    },
  },
  '006-upload-workspace': {
    async up(db: Kysely<never>) {
      // Also the value of uploads that the previous version adds while both versions run.
      await db.schema
        .alterTable('uploads')
        .addColumn('workspace', 'text', (column) => column.notNull().defaultTo('default'))
        .execute();
    },
  },
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
