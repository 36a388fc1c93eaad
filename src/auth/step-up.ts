import { Problem } from '../problem.ts';

/** The login that a caller needs to see full register numbers. */
export interface StepUpPolicy {
  /** Values of the token claim with the strength of a login, usually `acr`; at least one. */
  readonly acr: readonly string[];
  /** Seconds since the login. */
  readonly maxAge: number;
}

/**
 * The problem 401 `step-up-nodig`, which names the required login in `WWW-Authenticate` (RFC 9470). `why` is for the
 * log only: the check that failed, and what the token has.
 */
export function stepUpNeeded({ acr, maxAge }: StepUpPolicy, why: { reason?: string; found?: string } = {}): Problem {
  const challenge = `Bearer error="insufficient_user_authentication", acr_values="${acr.join(' ')}", max_age=${maxAge}`;
  return new Problem('step-up-nodig', 'Log opnieuw in met een sterk inlogmiddel om het registratienummer te zien.', {
    headers: { 'WWW-Authenticate': challenge },
    ...why,
  });
}

/** Returns the problem for when no login is strong enough, so that logging in again is of no use. */
export const stepUpSwitchedOff = (): Problem =>
  new Problem(
    'rol-ontbreekt',
    {
      detail:
        'Het volledige registratienummer is bij deze dienst niet te zien: de step-up is uitgeschakeld. Laat X-Step-Up weg.',
      english: 'This service never shows the whole register number: the step-up is switched off. Leave X-Step-Up out.',
    },
    { reason: 'step-up is switched off' },
  );
