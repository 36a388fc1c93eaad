/** Workdays in the Netherlands, and the terms that end on one. A day number counts whole days since 1 January 1970. */

import { plusDays } from '../wire/dates.ts';

const MILLISECONDS = 86_400_000;

export const dayOf = (date: string): number => Date.parse(date) / MILLISECONDS;

export const dateAt = (day: number): string => new Date(day * MILLISECONDS).toISOString().slice(0, 10);

/** The next workday when `day` is in a weekend or on a holiday (Algemene termijnenwet, art. 1 and 3). */
function endOfTerm(day: number): number {
  let end = day;
  while (weekday(end) % 6 === 0 || isHoliday(end) || isHolidayForTerms(end)) end += 1;
  return end;
}

/**
 * Returns the first workday on or after a date (`YYYY-MM-DD`): a term ends on a workday, and the register decides and
 * sends its post on one (domain.md 4.7).
 */
export const workdayFrom = (date: string): string => dateAt(endOfTerm(dayOf(date)));

/**
 * Returns the last day on which a request can be left unconsidered: four weeks after the term to complete it (Awb 4:5,
 * fourth paragraph).
 */
export const lastUnconsideredDay = (reactieTot: string): string => workdayFrom(plusDays(reactieTot, 28));

/** Returns the last workday on or before a date (`YYYY-MM-DD`), for a deadline that the register itself must keep. */
export function workdayUntil(date: string): string {
  let day = dayOf(date);
  while (endOfTerm(day) !== day) day -= 1;
  return dateAt(day);
}

/** Returns true for 5 May and Good Friday: holidays for terms only, because many people work on them. */
function isHolidayForTerms(day: number): boolean {
  const date = dateAt(day);
  return date.endsWith('-05-05') || day === easterOf(Number(date.slice(0, 4))) - 2;
}

/** Returns true for a public holiday on which almost nobody works. */
export function isHoliday(day: number): boolean {
  const year = new Date(day * MILLISECONDS).getUTCFullYear();
  const known = holidays.get(year) ?? holidaysOf(year);
  holidays.set(year, known);
  return known.has(day);
}

const holidays = new Map<number, ReadonlySet<number>>();

function holidaysOf(year: number): ReadonlySet<number> {
  const easter = easterOf(year);
  const king = dayOf(year < 2014 ? `${year}-04-30` : `${year}-04-27`);
  return new Set([
    ...['01-01', '12-25', '12-26'].map((date) => dayOf(`${year}-${date}`)),
    ...[0, 1, 39, 50].map((days) => easter + days),
    // When King's Day is a Sunday, it is celebrated the day before.
    weekday(king) === 0 ? king - 1 : king,
  ]);
}

/** Returns the day number of Easter Sunday in a year (computus of Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1) / MILLISECONDS;
}

/** Returns the weekday of a day: 0 is Sunday. */
export const weekday = (day: number): number => (((day + 4) % 7) + 7) % 7;
