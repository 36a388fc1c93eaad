import { longDate } from '../../src/wire/dates.ts';

/**
 * Converts a date `YYYY-MM-DD` to the members of a date in the BRP that has this `type`, such as `JaarMaandDatum` (only
 * year and month are known). The member `type` is not in the result.
 */
export function partsOf(day: string, type: string) {
  const [jaar, maand] = day.split('-').map(Number);
  if (type === 'JaarDatum') return { jaar, langFormaat: String(jaar) };
  const [, ...monthAndYear] = longDate(day).split(' ');
  return type === 'Datum'
    ? { datum: day, langFormaat: longDate(day) }
    : { jaar, maand, langFormaat: monthAndYear.join(' ') };
}
