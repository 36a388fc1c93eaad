import { Problem } from '../../src/problem.ts';
import type { Claims } from './verify.ts';

/** The requirements for the login of a caller who wants to see full register numbers. */
export interface StepUpPolicy {
  /** Accepted values of the `acr` claim. With an empty list no login is sufficient. */
  readonly acr: readonly string[];
  /** Maximum age of the login in seconds. */
  readonly maxAge: number;
}

/** The number of seconds by which the issuer's clock may be ahead, so that a login seems to be in the future. */
const LEEWAY = 60;

/** The claims about the caller's login: its strength (`acr`) and its time (`auth_time`, seconds since 1970). */
export type LoginClaims = Pick<Claims, 'acr' | 'auth_time'>;

/**
 * Throws 401 `step-up-nodig` when the login is too weak or too old, with a challenge that names the required login (RFC
 * 9470).
 */
export function demandStepUp({ acr, auth_time }: LoginClaims, { acr: enough, maxAge }: StepUpPolicy): void {
  const age = typeof auth_time === 'number' ? Date.now() / 1_000 - auth_time : Number.NaN;
  if (typeof acr === 'string' && enough.includes(acr) && age >= -LEEWAY && age <= maxAge) return;
  const values = enough.length > 0 ? `, acr_values="${enough.join(' ')}"` : '';
  throw new Problem('step-up-nodig', 'Log opnieuw in, zo sterk als nodig is, om het registernummer te zien.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication"${values}, max_age=${maxAge}` },
  });
}
