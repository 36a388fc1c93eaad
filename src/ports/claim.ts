/**
 * A temporary lock (lease) on a row in the store. `token` identifies the holder of the lock. `until` is the end of the
 * lock, in milliseconds since 1970 by the clock of this process. Clocks of processes can differ, so the store converts
 * `until` to its own clock, with the same remaining time.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}

/**
 * Milliseconds after which a claim would end that no request can have made: longer than the longest lease. A store
 * treats such a claim as expired. It was made before the clock was set back, and would otherwise block its row until
 * the clock reaches the old time again.
 */
export const IMPOSSIBLE_CLAIM = 10 * 60 * 1_000;
