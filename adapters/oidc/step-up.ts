import { Problem } from '../../src/problem.ts';
import type { Claims } from './verify.ts';

/** How sure it must be who calls before a register number is shown in full. */
export interface StepUpPolicy {
  /** Values of `acr` that do; with none of them nobody sees it. */
  readonly acr: readonly string[];
  /** Seconds since logging in. */
  readonly maxAge: number;
}

/** Seconds that clocks may differ: for someone who logged in just now, in the future. */
const LEEWAY = 60;

/** What a token says about how and when its owner logged in. */
export type Login = Pick<Claims, 'acr' | 'auth_time'>;

/** RFC 9470: a caller who did not log in well or lately enough hears what to ask the issuer for. */
export function demandStepUp({ acr, auth_time }: Login, { acr: enough, maxAge }: StepUpPolicy): void {
  const age = typeof auth_time === 'number' ? Date.now() / 1_000 - auth_time : Number.NaN;
  if (typeof acr === 'string' && enough.includes(acr) && age >= -LEEWAY && age <= maxAge) return;
  const values = enough.length > 0 ? `, acr_values="${enough.join(' ')}"` : '';
  throw new Problem('step-up-nodig', 'Log opnieuw in, zo sterk als nodig is, om het registernummer te zien.', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication"${values}, max_age=${maxAge}` },
  });
}
