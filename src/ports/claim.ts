/**
 * A temporary claim on a row: `token` identifies the holder, `until` is when it lapses, in milliseconds since 1970 by
 * the clock of this process. The store converts `until` to its own clock with the same remaining time, so that
 * processes with different clocks agree on when the claim lapses.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}
