/**
 * Calculations on calendar dates. A date is a string `YYYY-MM-DD`, so dates can be compared and sorted as text. The
 * functions use `Date` in UTC, because every request needs them and a Temporal polyfill is twenty times as slow.
 */

/** The number of milliseconds in a day. */
const DAY = 24 * 60 * 60 * 1_000;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Returns the date `months` later. A day that the month does not have becomes its last day: 31 August − 6 months is 28
 * or 29 February.
 */
export function plusMonths(day: string, months: number): string {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, Number(day.slice(8))];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, month, Math.min(date, last)));
}

/** Returns the date `years` later; 29 February becomes 28 February in a year without one. */
export const plusYears = (day: string, years: number): string => plusMonths(day, 12 * years);

/** Returns the date `days` later. */
export const plusDays = (day: string, days: number): string => toDay(Date.parse(day) + days * DAY);

/** Returns true when a string is an existing date, such as `2024-02-29`, and false for `2023-02-29`. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && toDay(time) === text;
}

const dutch = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns a date in Dutch words: `3 april 2026`. */
export const longDate = (day: string): string => dutch.format(new Date(`${day}T00:00:00Z`));

/**
 * Returns a timestamp without its milliseconds, `2026-04-03T10:15:00Z`: responses show whole seconds (domain.md 4.1).
 */
export const toWholeSecond = (moment: string): string => `${moment.slice(0, 19)}Z`;
