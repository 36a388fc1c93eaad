import { type RawBuilder, sql } from 'kysely';

/**
 * A function that converts a moment (milliseconds since 1970 by this process's clock) to SQL with that moment by the
 * store's clock. Processes with different clocks then agree on what has expired.
 */
export type StoreClock = (moment: number) => RawBuilder<number>;

/** The current time by the store's clock, as an SQL expression without parameters. */
export type StoreNow = RawBuilder<number>;

/** SQL for the current time by the clock of this machine, read when the statement runs, in milliseconds since 1970. */
export const machineNow: StoreNow = sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`;

/** SQL for the current time by the clock of PostgreSQL, read when the statement runs, in milliseconds since 1970. */
export const databaseNow: StoreNow = sql<number>`(floor(extract(epoch from now()) * 1000)::double precision)`;

/**
 * Returns a moment unchanged, as SQL. This is for SQLite: all processes that use the database file run on one machine,
 * so they have the same clock.
 */
export const machineClock: StoreClock = (moment) => sql<number>`${moment}`;

/** One year in milliseconds. A moment that is further away is not converted to the clock of PostgreSQL. */
const YEAR = 365 * 24 * 60 * 60 * 1_000;

/**
 * Returns SQL for a moment by PostgreSQL's clock: the database's `now()` plus `moment - Date.now()`. A moment more than
 * `YEAR` away is returned unchanged.
 */
export const databaseClock: StoreClock = (moment) => {
  const away = moment - Date.now();
  if (Math.abs(away) > YEAR) return sql<number>`${moment}::double precision`;
  return sql<number>`(floor(extract(epoch from now()) * 1000)::double precision + ${away}::double precision)`;
};
