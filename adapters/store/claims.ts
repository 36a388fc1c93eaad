import { type RawBuilder, sql } from 'kysely';
import { ENDLESS_CLAIM, MAX_CLAIM_MS } from '../../src/ports/store/claim.ts';

/**
 * Returns an SQL condition that is true for a row without a claim (lock for a limited time) or with an expired one.
 *
 * @param now - the current time by the store's clock
 */
export const isFree = (now: RawBuilder<number>) => sql<boolean>`(claim is null or ${hasEnded('claimedUntil', now)})`;

/**
 * Returns an SQL condition that is true when the moment in a column is at or before `now`, the current time by the
 * store's clock. It is also true for a moment so far ahead that the clock must have been set back, except for a claim
 * (lock) that never ends (`ENDLESS_CLAIM`).
 */
export const hasEnded = (column: 'claimedUntil' | 'busyUntil' | 'leases.until', now: RawBuilder<number>) =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or (${sql.ref(column)} > ${now} + ${sql.lit(MAX_CLAIM_MS)} and ${sql.ref(column)} < ${sql.lit(ENDLESS_CLAIM)}))`;

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

/** The column values of a row without a claim (lock for a limited time). */
export const UNCLAIMED = { claim: null, claimedUntil: null } as const;
