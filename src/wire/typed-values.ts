import { longDate, plusDays, plusYears, readDate } from './dates.ts';

/** True for a placeholder in which the drafter types a date. */
export const isDateKey = (key: string): boolean => key === 'reactiedatum' || key.startsWith('datum_');

/** Returns the number of a text `1200` or `1.200`; null for another text. */
export const readHours = (text: string): number | null =>
  /^(\d+|\d{1,3}(\.\d{3})+)$/.test(text.trim()) ? Number(text.replaceAll('.', '')) : null;

/** Returns the longest period that a decision can judge: the five years before the request (Wet BIG, art. 8). */
export const longestPeriod = (datumAanvraag: string): string =>
  `${longDate(plusYears(datumAanvraag, -5))} tot en met ${longDate(plusDays(datumAanvraag, -1))}`;

// Null for another text than `1 juni 2021 tot en met 31 mei 2026`, also with `tot` or `t/m`.
function readPeriod(text: string) {
  const [first = '', word = 'tot en met', last = '', ...more] = text.split(/\s(?:tot en met|t\/m|(tot))\s/i);
  const [from, until] = [readDate(first), readDate(last)];
  return from === null || until === null || more.length > 0 ? null : { from, word, until };
}

/** Returns what the drafter typed for a placeholder as a letter prints it: `1.200`, `1 juni 2026`. */
export function asPrinted(key: string | null, typed: string | null): string | null {
  if (key === null || typed === null) return typed;
  if (key === 'uren_meegeteld') return readHours(typed)?.toLocaleString('nl-NL') ?? typed;
  const period = key === 'periode_beoordeeld' ? readPeriod(typed) : null;
  if (period !== null) return `${longDate(period.from)} ${period.word} ${longDate(period.until)}`;
  const date = isDateKey(key) ? readDate(typed) : null;
  return date === null ? typed : longDate(date);
}
