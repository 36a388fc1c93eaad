import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Maximum number of rows in one insert statement. */
export const BATCH_SIZE = 200;

/** Maximum length of the text in one insert statement, in characters; one row can be longer. */
const MAX_LENGTH = 1_000_000;

/**
 * Inserts rows that were read from the same table of another database or of a file, in statements of at most `BATCH_SIZE`
 * rows and `MAX_LENGTH` characters: each must end within the store's time limit for a statement.
 */
export async function insertRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  let from = 0;
  let length = 0;
  const insertUntil = async (to: number) => {
    if (to === from) return;
    // What was read from outside has no type, and Kysely's types do not follow a table whose name is a variable.
    await db
      .insertInto(table)
      .values(rows.slice(from, to) as never[])
      .execute();
    [from, length] = [to, 0];
  };
  for (const [index, row] of rows.entries()) {
    const own = lengthOf(row);
    if (index - from === BATCH_SIZE || length + own > MAX_LENGTH) await insertUntil(index);
    length += own;
  }
  await insertUntil(rows.length);
}

const lengthOf = (row: Readonly<Record<string, unknown>>): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
