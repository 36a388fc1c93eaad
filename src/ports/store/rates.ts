/** A number of requests of one person that this process has admitted but not yet added to the shared total. */
export interface Tally {
  /** The kind of rate limit and the subject of the person: `<kind>|<subject>`. */
  readonly key: string;
  /** Minute in which the requests arrived, in minutes since 1970 by the store's clock. */
  readonly minute: number;
  readonly count: number;
}

/** The store of request counts for the rate limits, which all processes of the service share. */
export interface RateStore {
  /**
   * Returns the new totals in the same order. `now` is by the store's clock, in milliseconds since 1970. No two tallies
   * may have the same key.
   */
  add(tallies: readonly Tally[]): Promise<{ readonly totals: readonly number[]; readonly now: number }>;
}
