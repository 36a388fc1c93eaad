/**
 * `token` identifies the holder. `until` is in milliseconds since 1970 by the clock of this process; the store converts
 * it to its own clock.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}

/**
 * Milliseconds from now to the end of a claim. A claim that ends later was made before the clock was set back, and
 * counts as expired. `ENDLESS_CLAIM` is the exception.
 */
export const MAX_CLAIM_MS = 10 * 60 * 1_000;

/** The year 9000, in milliseconds since 1970: it never expires. */
export const ENDLESS_CLAIM = Date.UTC(9_000);

/** The columns of a claim in a row; a row without a claim has no token. `now` is the time by the clock of `claimedUntil`. */
export interface StoredClaim {
  readonly claim: string | null;
  readonly claimedUntil: number | null;
  readonly now: number;
}

/** False for no claim, an expired one, and one that the clock was set back after. */
export function isClaimed({ claim, claimedUntil, now }: StoredClaim): boolean {
  const until = claimedUntil ?? 0;
  return claim !== null && until > now && (until <= now + MAX_CLAIM_MS || until >= ENDLESS_CLAIM);
}
