import { type InsertResult, type RawBuilder, sql, type UpdateResult } from 'kysely';
import { ENDLESS_CLAIM, MAX_CLAIM_MS } from '../../src/ports/store/claim.ts';

export const UNCLAIMED = { claim: null, claimedUntil: null } as const;

/** `now` is the store's time at which the row was read. */
export type TimedRow<R> = R & { readonly now: number };

/** Free: without a claim, or with an expired one. `now` is the time by the store's clock. */
export const isFree = (now: RawBuilder<number>) => sql<boolean>`(claim is null or ${hasEnded('claimedUntil', now)})`;

/**
 * True when a moment is at or before `now` by the store's clock. Also for one so far ahead that the clock must have
 * been set back, except for a claim that never ends.
 */
export const hasEnded = (column: 'claimedUntil' | 'busyUntil' | 'leases.until', now: RawBuilder<number>) =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or (${sql.ref(column)} > ${now} + ${sql.lit(MAX_CLAIM_MS)} and ${sql.ref(column)} < ${sql.lit(ENDLESS_CLAIM)}))`;

/** False when the condition of the change did not hold. */
export const updatesOne = async (statement: { executeTakeFirst(): Promise<UpdateResult> }): Promise<boolean> =>
  Number((await statement.executeTakeFirst()).numUpdatedRows) === 1;

/** False when a conflict kept the row from being added. */
export const insertsOne = async (statement: { executeTakeFirst(): Promise<InsertResult> }): Promise<boolean> =>
  Number((await statement.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0) === 1;

/**
 * Returns the texts for an SQL `in` list, without those with a NUL, which PostgreSQL refuses. Empty texts fill it up to
 * a power of two: an empty list is not valid SQL, and each number of texts is another statement to prepare and keep.
 */
export function inListOf(texts: readonly string[]): string[] {
  const list = ['', ...texts.filter((text) => !text.includes('\0'))];
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array<string>(size - list.length).fill('')];
}
