import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/** The migrations of a database, keyed by name. They are applied in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Applies the migrations that a database does not have yet. Throws the error of the first migration that fails.
 * Migrations of a newer version of the service are accepted (decisions/0041-migrations-only-add.md).
 */
export async function applyMigrations<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  // Kysely refuses a database with a migration that it is not given. SQLite has one connection, which the migrator
  // holds, so they are read before it.
  const applied = await appliedTo(db);
  const provider = { getMigrations: async () => ({ ...Object.fromEntries(applied), ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}

const TABLE = 'kysely_migration';
const NOTHING: Migration = { up: async () => undefined };

/**
 * Returns the migrations that a database already has, keyed by name, each as a migration that does nothing. Returns
 * none for a new database.
 */
async function appliedTo<Tables>(db: Kysely<Tables>): Promise<[name: string, Migration][]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)}`.execute(db);
  return rows.map(({ name }) => [name, NOTHING]);
}
