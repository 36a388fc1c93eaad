const DAY = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat('nl-NL', { dateStyle: 'medium', timeZone: 'Europe/Amsterdam' });
const TIME = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'medium', timeZone: 'Europe/Amsterdam' });
const MOMENT = new Intl.DateTimeFormat('nl-NL', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/Amsterdam',
});

/** Returns a date such as `2026-06-01` as Dutch text: `1 juni 2026`. */
export const dayText = (day: string) => DAY.format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
/** Shows a date as Dutch text, on one line. */
export const DayOnOneLine = ({ day }: { day: string }) => <span class="day">{dayText(day)}</span>;
/** Returns the date of a moment (RFC 3339) in the Netherlands as short Dutch text, such as `1 jun 2026`. */
export const shortDayText = (at: string) => SHORT_DAY.format(new Date(at));
/** Returns the time of a moment (RFC 3339) in the Netherlands, such as `14:05:09`. */
export const timeText = (at: string) => TIME.format(new Date(at));
/** Returns the date and time in the Netherlands of a moment (RFC 3339), as Dutch text. */
export const momentText = (at: string) => MOMENT.format(new Date(at));
