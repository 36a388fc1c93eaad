/** The one clock of a workspace. Rules take `today` from it and never look elsewhere. */
export interface Clock {
  now(workspace: string): Date;
}

const amsterdam = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
const MINUTE = 60_000;
let known = { minute: Number.NaN, date: '' };

/** The calendar date in the Netherlands, `YYYY-MM-DD`: a deadline ends at midnight there, not in UTC. */
export function dateOf(moment: Date): string {
  // No time zone of today changes its date within a minute, so one look at the calendar serves a minute of requests.
  const minute = Math.floor(moment.getTime() / MINUTE);
  if (minute !== known.minute) known = { minute, date: amsterdam.format(moment) };
  return known.date;
}
