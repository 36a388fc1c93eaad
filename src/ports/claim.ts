/**
 * A temporary lock (lease) on a row in the store. `token` identifies the holder of the lock. `until` is the end of the
 * lock, in milliseconds since 1970 by the clock of this process. Clocks of processes can differ, so the store converts
 * `until` to its own clock, with the same remaining time.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}
