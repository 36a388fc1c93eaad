/** Requests that one process has let through, not yet told to the others. */
export interface Tally {
  /** Whose, and of what kind. */
  readonly key: string;
  /** The minute that it is about, counted since 1970. */
  readonly minute: number;
  readonly count: number;
}

/** Where the processes of one service add up what each has counted. */
export interface RateStore {
  /** Adds these, each key at most once, and tells what they then come to, in the same order. */
  add(tallies: readonly Tally[]): Promise<readonly number[]>;
}
