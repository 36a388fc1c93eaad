import { sql } from 'kysely';

/** Nobody is at work on a row, or whoever was is dead. Of every table that has these columns. */
export const isFree = (now: number) => sql<boolean>`(claim is null or "claimedUntil" <= ${now})`;

export const UNCLAIMED = { claim: null, claimedUntil: null } as const;
