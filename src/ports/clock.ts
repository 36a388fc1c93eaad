/** The clock of the service. Rules get `today` from it and read no other clock. */
export interface Clock {
  /**
   * Returns the current time of a workspace. Workspaces have different times only in the simulator, where each world
   * has a clock of its own.
   */
  now(workspace: string): Date;
}

const amsterdam = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
const MINUTE = 60_000;
let cached = { minute: Number.NaN, date: '' };

/**
 * Returns the calendar date in the Netherlands, `YYYY-MM-DD`, because a legal term ends at midnight in the Netherlands,
 * not in UTC.
 */
export function dateOf(moment: Date): string {
  // Cached per minute: the date cannot change within a minute of this time zone.
  const minute = Math.floor(moment.getTime() / MINUTE);
  if (minute !== cached.minute) cached = { minute, date: amsterdam.format(moment) };
  return cached.date;
}
