import { Problem } from '../problem.ts';

/** The login that a caller needs to see full register numbers. */
export interface StepUpPolicy {
  /**
   * Accepted values of the token claim `acr` (the strength of a login). With an empty list no login is strong enough.
   */
  readonly acr: readonly string[];
  /** Maximum number of seconds since the login. */
  readonly maxAge: number;
}

/** Returns the problem 401 `step-up-nodig`, which names the required login in `WWW-Authenticate` (RFC 9470). */
export function stepUpNeeded({ acr, maxAge }: StepUpPolicy): Problem {
  const values = acr.length > 0 ? `, acr_values="${acr.join(' ')}"` : '';
  return new Problem('step-up-nodig', 'Log opnieuw in met een sterk inlogmiddel om het registratienummer te zien.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication"${values}, max_age=${maxAge}` },
  });
}
