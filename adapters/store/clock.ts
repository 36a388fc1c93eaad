import { type RawBuilder, sql } from 'kysely';

/**
 * A function that converts a moment of this process's clock (milliseconds since 1970) to the store's clock, as SQL
 * expression. Moments that processes compare (leases, claims, `sentAt`) are stored by the store's clock, so that
 * machines with different clocks agree on what has expired.
 */
export type StoreClock = (moment: number) => RawBuilder<number>;

/** The current time by the store's clock, as SQL expression without parameters, for a query that is compiled once. */
export type StoreNow = RawBuilder<number>;

/** The current time by `machineClock`, at the moment at which the statement runs. */
export const machineNow: StoreNow = sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`;

/** The current time by `databaseClock`, at the moment at which the statement runs. */
export const databaseNow: StoreNow = sql<number>`(floor(extract(epoch from now()) * 1000)::double precision)`;

/** The clock of this machine, for SQLite: all its processes run on one machine. */
export const machineClock: StoreClock = (moment) => sql<number>`${moment}`;

/**
 * One year in milliseconds. A moment that is further away is not converted, because the difference between the clocks
 * does not matter then.
 */
const YEAR = 365 * 24 * 60 * 60 * 1_000;

/**
 * Converts a moment to PostgreSQL's clock: its `now()` plus `moment - Date.now()`. A moment more than `YEAR` away is
 * not converted.
 */
export const databaseClock: StoreClock = (moment) => {
  const away = moment - Date.now();
  if (Math.abs(away) > YEAR) return sql<number>`${moment}::double precision`;
  return sql<number>`(floor(extract(epoch from now()) * 1000)::double precision + ${away}::double precision)`;
};
