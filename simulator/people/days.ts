/** Dates as whole numbers: days since 1 January 1970. Generating thousands of people needs many of them. */

const MILLISECONDS = 86_400_000;

/** Returns the number of a date, `YYYY-MM-DD`. */
export const dayOf = (date: string): number => Date.parse(date) / MILLISECONDS;

/** Returns the date of a number, `YYYY-MM-DD`. */
export const dateAt = (day: number): string => new Date(day * MILLISECONDS).toISOString().slice(0, 10);

/** Returns the same day `years` later; 28 February where there is no 29th. */
export function plusYears(day: number, years: number): number {
  const date = new Date(day * MILLISECONDS);
  const month = date.getUTCMonth();
  const later = new Date(Date.UTC(date.getUTCFullYear() + years, month, date.getUTCDate()));
  return later.getTime() / MILLISECONDS - (later.getUTCMonth() === month ? 0 : 1);
}

/** Returns the day itself, or the Friday before when it is in a weekend. */
export const onWeekday = (day: number): number => day - (WEEKEND[weekday(day)] ?? 0);

/** Returns the weekday of a day: 0 is Sunday. 1 January 1970 was a Thursday. */
const weekday = (day: number): number => (((day + 4) % 7) + 7) % 7;
/** Days since Friday, by weekday. */
const WEEKEND: Readonly<Record<number, number>> = { 6: 1, 0: 2 };
