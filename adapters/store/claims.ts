import { type RawBuilder, sql } from 'kysely';

/**
 * Returns an SQL condition for a table with the columns `claim` and `claimedUntil`. The condition is true for a row
 * without a claim, and for a row whose claim has expired by the store's clock.
 */
export const isFree = (now: RawBuilder<number>) => sql<boolean>`(claim is null or "claimedUntil" <= ${now})`;

/**
 * Returns the texts that an SQL `in` list can contain. Leaves out texts with a NUL character, which PostgreSQL refuses
 * and no row has. Adds an empty text, because an empty list is not valid SQL.
 */
export const inListOf = (texts: readonly string[]): string[] => ['', ...texts.filter((text) => !text.includes('\0'))];

/** The column values of a row without a claim. */
export const UNCLAIMED = { claim: null, claimedUntil: null } as const;
