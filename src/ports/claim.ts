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

/** A claim that ends after this moment (the year 9000, in milliseconds since 1970) was made to last for ever. */
export const ENDLESS_CLAIM = Date.UTC(9_000);

/** Returns true when a claim that ends at `until` cannot have been made by the clock that says `now`. */
export const isImpossibleClaim = (until: number, now: number): boolean =>
  until > now + IMPOSSIBLE_CLAIM && until < ENDLESS_CLAIM;
