import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Maximum number of rows in one insert statement. */
export const BATCH_SIZE = 200;

/**
 * Inserts rows that were read from the same table of another database or of a file, in batches of `BATCH_SIZE` rows.
 */
export async function insertRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    // What was read from outside has no type, and Kysely's types do not follow a table whose name is a variable.
    const batch = rows.slice(at, at + BATCH_SIZE) as never[];
    await db.insertInto(table).values(batch).execute();
  }
}
