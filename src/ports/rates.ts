/** Requests that one process has let through, not yet told to the others. */
export interface Tally {
  /** Whose, and of what kind. */
  readonly key: string;
  /** The minute that it is about, counted since 1970 by the store's clock. */
  readonly minute: number;
  readonly count: number;
}

/** Where the processes of one service add up what each has counted. */
export interface RateStore {
  /**
   * Adds these, each key at most once, and gives what they then come to, in the same order; `now`: the present moment by the
   * clock that all of them share, in milliseconds since 1970.
   */
  add(tallies: readonly Tally[]): Promise<{ readonly totals: readonly number[]; readonly now: number }>;
}
