import { type StepUpPolicy, stepUpNeeded } from '../../src/auth/step-up.ts';
import type { Claims } from './verify.ts';

/** The number of seconds by which the issuer's clock may be ahead, so that a login seems to be in the future. */
const LEEWAY = 60;

/** The claims about the caller's login: its strength (`acr`) and its time (`auth_time`, seconds since 1970). */
export type LoginClaims = Pick<Claims, 'acr' | 'auth_time'>;

/**
 * Throws 401 `step-up-nodig` when the login is too weak or too old, with a challenge that names the required login (RFC
 * 9470).
 */
export function demandStepUp({ acr, auth_time }: LoginClaims, policy: StepUpPolicy): void {
  const { acr: accepted, maxAge } = policy;
  const age = typeof auth_time === 'number' ? Date.now() / 1_000 - auth_time : Number.NaN;
  if (typeof acr === 'string' && accepted.includes(acr) && age >= -LEEWAY && age <= maxAge) return;
  throw stepUpNeeded(policy);
}
