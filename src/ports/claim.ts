/**
 * A temporary lock (lease) on a row in the store. `token` identifies the holder. `until` is the end of the lock, in
 * milliseconds since 1970 by the clock of this process; the store converts it to its own clock with the same remaining
 * time, because the clocks of processes can differ.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}
