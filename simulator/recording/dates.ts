import { longDate } from '../../src/wire/dates.ts';

/** Returns the members of a date in the BRP, except `type`, for a date of this type. */
export function partsOf(day: string, type: string) {
  const [jaar, maand] = day.split('-').map(Number);
  if (type === 'JaarDatum') return { jaar, langFormaat: String(jaar) };
  const [, ...monthAndYear] = longDate(day).split(' ');
  return type === 'Datum'
    ? { datum: day, langFormaat: longDate(day) }
    : { jaar, maand, langFormaat: monthAndYear.join(' ') };
}
