/**
 * Calculations with calendar dates as text, `YYYY-MM-DD`. They use `Date` in UTC, because Temporal needs a slow
 * polyfill.
 */

const DAY_MS = 24 * 60 * 60 * 1_000;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// 0 for a month that does not exist.
function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

const padded = (part: number, length: number): string => String(part).padStart(length, '0');

/**
 * Returns the same day of the month `months` later (earlier when negative), or the last day of that month when it is too
 * short.
 */
export function plusMonths(day: string, months: number): string {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
  const date = Math.min(Number(day.slice(8)), daysIn(year, month));
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(date, 2)}`;
}

/** Returns the date `years` later. From 29 February it returns 28 February when the later year is not a leap year. */
export const plusYears = (day: string, years: number): string => plusMonths(day, 12 * years);

/** Returns the date `days` later (earlier when negative). */
export const plusDays = (day: string, days: number): string => toDay(Date.parse(day) + days * DAY_MS);

/** Returns true for a text `YYYY-MM-DD` that is an existing date. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return day > 0 && day <= daysIn(year, month);
}

// A constant, because `Intl` is slow: Node reads the data of a language at its first use.
const MONTHS = 'januari februari maart april mei juni juli augustus september oktober november december'.split(' ');

/** Returns a date in Dutch words, such as `3 april 2026`. */
export const longDate = (day: string): string =>
  `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(0, 4))}`;

/** Returns a timestamp (RFC 3339 in UTC) without its milliseconds, as answers show it (domain.md 4.1). */
export const toWholeSecond = (moment: string): string => `${moment.slice(0, 19)}Z`;

/**
 * Returns the date of a text `1 juni 2026`, `1-6-2026` or `YYYY-MM-DD`; null for another text, and for a date that does not
 * exist.
 */
export function readDate(text: string): string | null {
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})(?:\s+|[-/])([a-z]+|\d{1,2})(?:\s+|[-/])(\d{4})$/.exec(text.trim().toLowerCase()) ?? [];
  const written =
    day === ''
      ? text.trim()
      : `${year}-${padded(Number(month) || MONTHS.indexOf(month) + 1, 2)}-${day.padStart(2, '0')}`;
  return isDate(written) ? written : null;
}
