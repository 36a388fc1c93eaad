/**
 * Calendar dates are strings, `YYYY-MM-DD`, and so compare as they sort. These are the few sums that rules need. Each request
 * does some, so they are done on the platform's own dates: a Temporal polyfill costs twenty times as much.
 */
const DAY = 24 * 60 * 60 * 1_000;

const toDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** A day that the resulting month lacks becomes its last one: 31 August − 6 months is 28 or 29 February. */
export function plusMonths(day: string, months: number): string {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, Number(day.slice(8))];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, month, Math.min(date, last)));
}

export const plusYears = (day: string, years: number): string => plusMonths(day, 12 * years);

export const plusDays = (day: string, days: number): string => toDay(Date.parse(day) + days * DAY);

/** Whether a string is a date that exists: `2024-02-29` is, `2023-02-29` is not. */
export function isDate(text: string): boolean {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(moment) && toDay(moment) === text;
}

const dutch = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** As a Dutch sentence has it: `3 april 2026`. */
export const longDate = (day: string): string => dutch.format(new Date(`${day}T00:00:00Z`));

/** A moment without its fraction of a second: `2026-04-03T10:15:00Z`. Kept to the millisecond, shown to the second (domain.md 4.1). */
export const toWholeSecond = (moment: string): string => `${moment.slice(0, 19)}Z`;
