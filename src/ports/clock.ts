/** The clock of the service. Rules do not read a clock: they get the date as an argument. */
export interface Clock {
  /** Returns the current time. In the simulator, each workspace can have a different time. */
  now(workspace: string): Date;
}

// Made when it is needed: Node reads the data of a language at its first use, which takes some 15 ms.
let amsterdam: Intl.DateTimeFormat | undefined;
const MINUTE = 60_000;
let cached = { minute: Number.NaN, date: '' };

/** Returns the calendar date in the Netherlands, `YYYY-MM-DD`. Legal terms end at midnight there, not in UTC. */
export function dateOf(moment: Date): string {
  // Cached per minute: the date cannot change within a minute of this time zone.
  const minute = Math.floor(moment.getTime() / MINUTE);
  if (minute !== cached.minute) {
    amsterdam ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
    cached = { minute, date: amsterdam.format(moment) };
  }
  return cached.date;
}

/** A generator of ids. Do not use it for secrets: in the simulator its ids can be predicted. */
export interface Ids {
  /** Returns a new UUID, unique over all workspaces. */
  next(workspace: string): string;
}

/** A generator of random UUIDs (version 4). */
export const RANDOM_IDS: Ids = { next: () => crypto.randomUUID() };
