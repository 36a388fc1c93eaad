import { longDate } from '../../src/wire/dates.ts';

/**
 * Returns the members of a date in the BRP for a date `YYYY-MM-DD`, without its member `type`. With the type
 * `JaarMaandDatum`, the result has only the year and month; with `JaarDatum`, only the year.
 */
export function toBrpDateParts(day: string, type: string) {
  const [jaar, maand] = day.split('-').map(Number);
  if (type === 'JaarDatum') return { jaar, langFormaat: String(jaar) };
  const [, ...monthAndYear] = longDate(day).split(' ');
  return type === 'Datum'
    ? { datum: day, langFormaat: longDate(day) }
    : { jaar, maand, langFormaat: monthAndYear.join(' ') };
}
