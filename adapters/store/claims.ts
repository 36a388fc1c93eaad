import { type InsertResult, type RawBuilder, sql, type UpdateResult } from 'kysely';
import { ENDLESS_CLAIM, isImpossibleClaim, MAX_CLAIM_MS } from '../../src/ports/store/claim.ts';

/** The column values of a row without a claim. */
export const UNCLAIMED = { claim: null, claimedUntil: null } as const;

/** A database row, with the store's time at which the row was read. */
export type TimedRow<R> = R & { readonly now: number };

/** Returns true when a row was claimed at the moment that it was read. */
export const isClaimed = ({
  claim,
  claimedUntil,
  now,
}: TimedRow<{ readonly claim: string | null; readonly claimedUntil: number | null }>): boolean =>
  claim !== null && (claimedUntil ?? 0) > now && !isImpossibleClaim(claimedUntil ?? 0, now);

/**
 * Returns an SQL condition that is true for a row without a claim or with an expired one.
 *
 * @param now - the current time by the store's clock
 */
export const isFree = (now: RawBuilder<number>) => sql<boolean>`(claim is null or ${hasEnded('claimedUntil', now)})`;

/**
 * Returns an SQL condition that is true when the moment in a column is at or before `now`, the current time by the
 * store's clock. It is also true for a moment so far ahead that the clock must have been set back, except for a claim
 * that never ends.
 */
export const hasEnded = (column: 'claimedUntil' | 'busyUntil' | 'leases.until', now: RawBuilder<number>) =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or (${sql.ref(column)} > ${now} + ${sql.lit(MAX_CLAIM_MS)} and ${sql.ref(column)} < ${sql.lit(ENDLESS_CLAIM)}))`;

/** Runs a conditional change of one row. Returns false when the condition did not hold. */
export const updatesOne = async (statement: { executeTakeFirst(): Promise<UpdateResult> }): Promise<boolean> =>
  Number((await statement.executeTakeFirst()).numUpdatedRows) === 1;

/** Adds one row. Returns false when a conflict kept it from being added. */
export const insertsOne = async (statement: { executeTakeFirst(): Promise<InsertResult> }): Promise<boolean> =>
  Number((await statement.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0) === 1;

/**
 * Returns the texts for an SQL `in` list. Leaves out texts with a NUL character, which PostgreSQL refuses. Adds empty
 * texts until their number is a power of two: an empty list is not valid SQL, and each number of texts is another SQL
 * text, which SQLite prepares and keeps.
 */
export function inListOf(texts: readonly string[]): string[] {
  const list = ['', ...texts.filter((text) => !text.includes('\0'))];
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array<string>(size - list.length).fill('')];
}
