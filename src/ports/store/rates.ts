/** The number of requests of one person that this process has admitted and has not yet added to the shared total. */
export interface Tally {
  /** Kind of rate limit and subject of the person: `<kind>|<subject>`. */
  readonly key: string;
  /** Minute in which the requests arrived, in minutes since 1970 by the store's clock. */
  readonly minute: number;
  readonly count: number;
}

/** The store of request totals for the rate limits, shared by all processes of the service. */
export interface RateStore {
  /**
   * Adds the tallies to the shared totals. Returns the new totals, in the order of the tallies, and in `now` the
   * current time by the store's clock (milliseconds since 1970). Two tallies may not have the same key.
   */
  add(tallies: readonly Tally[]): Promise<{ readonly totals: readonly number[]; readonly now: number }>;
}
