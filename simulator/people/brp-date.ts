/** Converts dates to the format of the BRP. */
import { longDate } from '../../src/wire/dates.ts';

/** The types of a date in the BRP. They say which parts of the date are known. */
export const BRP_DATE_TYPES = ['Datum', 'JaarMaandDatum', 'JaarDatum', 'DatumOnbekend'] as const;

/** Converts a date `YYYY-MM-DD` to the format of the BRP, with the date in Dutch words. */
export const toBrpDate = (day: string) => ({ type: 'Datum' as const, datum: day, langFormaat: longDate(day) });

/** Converts a date `YYYY-MM-DD` to the format of the BRP. Leaves out the parts that `type` says are not known. */
export function toPartialBrpDate(day: string, type: (typeof BRP_DATE_TYPES)[number]) {
  const [jaar, maand] = day.split('-').map(Number);
  switch (type) {
    case 'Datum':
      return toBrpDate(day);
    case 'JaarMaandDatum':
      return { type, jaar, maand, langFormaat: longDate(day).split(' ').slice(1).join(' ') };
    case 'JaarDatum':
      return { type, jaar, langFormaat: String(jaar) };
    case 'DatumOnbekend':
      return { type, onbekend: true, langFormaat: 'onbekend' };
  }
}
