import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/** The migrations of a database, keyed by name. They are applied in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Applies the migrations that a database does not have yet. Throws the error of the first migration that fails.
 * Migrations of a newer version of the service are accepted (decisions/0041-migrations-only-add.md).
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

/**
 * Returns the migrations that a database already has, keyed by name, each as a migration that does nothing. Returns
 * none for a new database.
 */
async function appliedTo<Tables>(db: Kysely<Tables>, schema?: string): Promise<[name: string, Migration][]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === TABLE && table.schema === schema)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)}`.execute(db);
  return rows.map(({ name }) => [name, NOTHING]);
}

/**
 * Returns the schema of PostgreSQL with the table of migrations, or where it is to be made; undefined when the connection
 * can use no schema. Another schema of the database can have a table of that name as well.
 */
export async function findSchema<Tables>(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string | null }>`select coalesce((select nspname from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace where pg_class.oid = to_regclass(${TABLE})),
    current_schema()) as schema`.execute(db);
  return rows[0]?.schema ?? undefined;
}
