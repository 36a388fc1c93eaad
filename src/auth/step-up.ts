import { Problem } from '../problem.ts';

/** The requirements for the login of a caller who wants to see full register numbers. */
export interface StepUpPolicy {
  /** Accepted values of the `acr` claim. With an empty list no login is sufficient. */
  readonly acr: readonly string[];
  /** Maximum age of the login in seconds. */
  readonly maxAge: number;
}

/** Returns 401 `step-up-nodig` with a challenge that names the required login (RFC 9470). */
export function stepUpNeeded({ acr, maxAge }: StepUpPolicy): Problem {
  const values = acr.length > 0 ? `, acr_values="${acr.join(' ')}"` : '';
  return new Problem('step-up-nodig', 'Log opnieuw in, zo sterk als nodig is, om het registernummer te zien.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication"${values}, max_age=${maxAge}` },
  });
}
