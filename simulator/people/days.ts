/**
 * Calculations with dates as day numbers (whole days since 1 January 1970). Generating thousands of people needs many
 * dates, and numbers are fast.
 */

import { isHoliday, weekday } from '../../src/domain/workdays.ts';

const MILLISECONDS = 86_400_000;

/** 29 February becomes 28 February in a year without it. */
export const plusYears = (day: number, years: number): number => plusMonths(day, 12 * years);

/** The last day of the month when that is too short. */
export function plusMonths(day: number, months: number): number {
  const date = new Date(day * MILLISECONDS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  return Math.min(Date.UTC(year, month, date.getUTCDate()), Date.UTC(year, month + 1, 0)) / MILLISECONDS;
}

/** Returns the last day on or before this day that is not in a weekend and not a public holiday in the Netherlands. */
export function workdayOnOrBefore(day: number): number {
  let before = day;
  while ((WEEKEND[weekday(before)] ?? 0) > 0 || isHoliday(before)) before -= WEEKEND[weekday(before)] ?? 1;
  return before;
}

export const isSundayOrHoliday = (day: number): boolean => weekday(day) === 0 || isHoliday(day);

/** Number of days since Friday, for Saturday (6) and Sunday (0). */
const WEEKEND: Readonly<Record<number, number>> = { 6: 1, 0: 2 };
