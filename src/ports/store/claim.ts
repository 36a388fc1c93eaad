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
 * Maximum number of milliseconds between now and the end of a claim: it is longer than the longest lease. A claim with
 * a later end was made before the clock was set back. A store treats it as expired, because it would otherwise block
 * its row until the clock reaches the old time again.
 */
export const IMPOSSIBLE_CLAIM = 10 * 60 * 1_000;

/** The year 9000, in milliseconds since 1970. A claim that ends at this moment or later never expires. */
export const ENDLESS_CLAIM = Date.UTC(9_000);

/**
 * Returns true when a claim (a temporary lock on a row) ends more than `IMPOSSIBLE_CLAIM` after `now`. No claim is that
 * long, so the clock was set back after the claim was made. Returns false for a claim that never expires
 * (`ENDLESS_CLAIM`). Both moments are in milliseconds since 1970, by the same clock.
 */
export const isImpossibleClaim = (until: number, now: number): boolean =>
  until > now + IMPOSSIBLE_CLAIM && until < ENDLESS_CLAIM;
