import { Problem } from '../problem.ts';

/** The requirements for the login of a caller who wants to see full register numbers. */
export interface StepUpPolicy {
  /** Accepted values of the `acr` claim (the strength of a login). With an empty list no login is strong enough. */
  readonly acr: readonly string[];
  /** Maximum number of seconds since the login. */
  readonly maxAge: number;
}

/**
 * Returns the problem 401 `step-up-nodig`, with a `WWW-Authenticate` header that names the required login (RFC 9470).
 */
export function stepUpNeeded({ acr, maxAge }: StepUpPolicy): Problem {
  const values = acr.length > 0 ? `, acr_values="${acr.join(' ')}"` : '';
  return new Problem('step-up-nodig', 'Log opnieuw in, zo sterk als nodig is, om het registernummer te zien.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication"${values}, max_age=${maxAge}` },
  });
}
