import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/** The migrations of a database, by name. They are applied in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Applies the migrations that a database does not have yet. Throws the error of the first migration that fails. */
export async function applyMigrations<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}
