/**
 * A lock on a row of the store that ends by itself. `token` identifies the holder. `until` is the end, in milliseconds
 * since 1970 by the clock of this process; the store converts it to its own clock.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}

/**
 * Maximum time between now and the end of a claim, in milliseconds. A claim that ends later was made before the clock
 * was set back, and counts as expired. `ENDLESS_CLAIM` is the exception.
 */
export const MAX_CLAIM_MS = 10 * 60 * 1_000;

/** The year 9000, in milliseconds since 1970: the end of a claim (lock on a row) that never expires. */
export const ENDLESS_CLAIM = Date.UTC(9_000);

/**
 * Returns true when a claim (lock on a row) ends impossibly late, because the clock was set back after the claim was
 * made. Both times are in milliseconds since 1970, by the same clock.
 */
export const isImpossibleClaim = (until: number, now: number): boolean =>
  until > now + MAX_CLAIM_MS && until < ENDLESS_CLAIM;
