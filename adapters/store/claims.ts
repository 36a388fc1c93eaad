import { type RawBuilder, sql } from 'kysely';

/** Row is unclaimed or its lease has expired, by the store's clock. Of every table that has these columns. */
export const isFree = (now: RawBuilder<number>) => sql<boolean>`(claim is null or "claimedUntil" <= ${now})`;

/** Texts to look for: no row has one with a NUL in it, and PostgreSQL refuses the question. Never an empty list, which is no SQL. */
export const askable = (texts: readonly string[]): string[] => ['', ...texts.filter((text) => !text.includes('\0'))];

export const UNCLAIMED = { claim: null, claimedUntil: null } as const;
