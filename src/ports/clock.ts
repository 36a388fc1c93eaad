/** The one clock of a workspace. Rules take `today` from it and never look elsewhere. */
export interface Clock {
  now(workspace: string): Date;
}

const amsterdam = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });

/** The calendar date in the Netherlands, `YYYY-MM-DD`: a deadline ends at midnight there, not in UTC. */
export const dateOf = (moment: Date): string => amsterdam.format(moment);
