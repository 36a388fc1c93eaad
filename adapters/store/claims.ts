import { sql } from 'kysely';

/** Nobody is at work on a row, or whoever was is dead. Of every table that has these columns. */
export const isFree = (now: number) => sql<boolean>`(claim is null or "claimedUntil" <= ${now})`;

/** Texts to look for: no row has one with a NUL in it, and PostgreSQL refuses the question. Never an empty list, which is no SQL. */
export const askable = (texts: readonly string[]): string[] => ['', ...texts.filter((text) => !text.includes('\0'))];

export const UNCLAIMED = { claim: null, claimedUntil: null } as const;
