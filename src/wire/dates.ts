import { Temporal } from 'temporal-polyfill';

/**
 * Calendar dates are strings, `YYYY-MM-DD`, and so compare as they sort. These are the few sums that rules need;
 * a day that the resulting month lacks becomes its last one (31 August − 6 months = 28 or 29 February).
 */
export const plusMonths = (day: string, months: number): string =>
  Temporal.PlainDate.from(day).add({ months }).toString();

export const plusDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

export const plusYears = (day: string, years: number): string => Temporal.PlainDate.from(day).add({ years }).toString();

/** Whether a string is a date that exists: `2024-02-29` is, `2023-02-29` is not. */
export function isDate(text: string): boolean {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text) && text.length === 10;
}

const dutch = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** As a Dutch sentence has it: `3 april 2026`. */
export const longDate = (day: string): string => dutch.format(new Date(`${day}T00:00:00Z`));
