import { longDate } from '../../src/wire/dates.ts';

/** Returns the members of a date of the BRP of this type besides the type. */
export function partsOf(day: string, type: string) {
  const [jaar, maand] = day.split('-').map(Number);
  if (type === 'JaarDatum') return { jaar, langFormaat: String(jaar) };
  const [, ...monthAndYear] = longDate(day).split(' ');
  return type === 'Datum'
    ? { datum: day, langFormaat: longDate(day) }
    : { jaar, maand, langFormaat: monthAndYear.join(' ') };
}
