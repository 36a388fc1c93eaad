/** The clock of the service. Rules get the current date and time as arguments, so that tests can choose them. */
export interface Clock {
  /** Returns the current time. Only in the simulator can workspaces have different times. */
  now(workspace: string): Date;
}

const amsterdam = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
const MINUTE = 60_000;
let cached = { minute: Number.NaN, date: '' };

/** Returns the calendar date in the Netherlands, `YYYY-MM-DD`. Legal terms end at midnight there, not in UTC. */
export function dateOf(moment: Date): string {
  // Cached per minute: the date cannot change within a minute of this time zone.
  const minute = Math.floor(moment.getTime() / MINUTE);
  if (minute !== cached.minute) cached = { minute, date: amsterdam.format(moment) };
  return cached.date;
}
