import { type RawBuilder, sql } from 'kysely';

/**
 * Gives a moment of this process's clock (milliseconds since 1970) as the store's clock has it, for use in a statement. Moments
 * that processes compare with each other (leases, claims, `sentAt`) are kept by the store's clock, so that two machines whose
 * clocks differ agree on what has expired.
 */
export type StoreClock = (moment: number) => RawBuilder<number>;

/** The clock of this machine: SQLite is for one. */
export const machineClock: StoreClock = (moment) => sql<number>`${moment}`;

/** Milliseconds; no difference between two clocks matters to what is further away than this. */
const YEAR = 365 * 24 * 60 * 60 * 1_000;

/** PostgreSQL's `now()`, and as much earlier or later as the moment is from now here. What never ends is kept as it is. */
export const databaseClock: StoreClock = (moment) => {
  const away = moment - Date.now();
  if (Math.abs(away) > YEAR) return sql<number>`${moment}::double precision`;
  return sql<number>`(floor(extract(epoch from now()) * 1000)::double precision + ${away}::double precision)`;
};
