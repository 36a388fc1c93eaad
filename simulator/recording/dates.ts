import { longDate } from '../../src/wire/dates.ts';

/**
 * Converts a date `YYYY-MM-DD` to the members of a date in the BRP, except `type`. `type` says which parts are known:
 * `Datum` (all), `JaarMaandDatum` or `JaarDatum`.
 */
export function partsOf(day: string, type: string) {
  const [jaar, maand] = day.split('-').map(Number);
  if (type === 'JaarDatum') return { jaar, langFormaat: String(jaar) };
  const [, ...monthAndYear] = longDate(day).split(' ');
  return type === 'Datum'
    ? { datum: day, langFormaat: longDate(day) }
    : { jaar, maand, langFormaat: monthAndYear.join(' ') };
}
