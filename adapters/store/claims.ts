import { type RawBuilder, sql } from 'kysely';

/**
 * Row is unclaimed, or its lease has expired by the store's clock. For every table with columns `claim` and
 * `claimedUntil`.
 */
export const isFree = (now: RawBuilder<number>) => sql<boolean>`(claim is null or "claimedUntil" <= ${now})`;

/**
 * Returns the texts that an SQL `in` can have. Leaves out texts with a NUL character, which PostgreSQL refuses and no
 * row has; adds '', as an empty list is not valid SQL.
 */
export const inListOf = (texts: readonly string[]): string[] => ['', ...texts.filter((text) => !text.includes('\0'))];

/** Column values of a row without a claim. */
export const UNCLAIMED = { claim: null, claimedUntil: null } as const;
