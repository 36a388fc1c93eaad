/** Number of requests that one process has admitted and not yet added to the shared total. */
export interface Tally {
  /** Kind of rate limit and the person, `<kind>|<subject>`. */
  readonly key: string;
  /** Minutes since 1970 by the store's clock: the minute in which the requests came. */
  readonly minute: number;
  readonly count: number;
}

/** Shared request totals of all processes of the service, for the rate limit. */
export interface RateStore {
  /**
   * Adds the tallies and returns the new totals, in the same order. A key may occur only once. `now` is the current
   * time by the store's clock, in milliseconds since 1970.
   */
  add(tallies: readonly Tally[]): Promise<{ readonly totals: readonly number[]; readonly now: number }>;
}
