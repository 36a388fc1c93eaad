import { type StepUpPolicy, stepUpNeeded, stepUpSwitchedOff } from '../../src/auth/step-up.ts';
import type { ClaimPaths } from '../../src/auth/trusted-issuer.ts';
import { type ClaimSet, claimAt } from './claims.ts';

// Seconds by which the issuer's clock may be ahead.
const LEEWAY = 60;

interface Login {
  readonly levels: readonly string[];
  // Seconds since 1970; NaN when the token does not say it.
  readonly time: number;
}

export function loginOf(claims: ClaimSet, { level, loginTime }: ClaimPaths): Login {
  const value = claimAt(claims, level ?? 'acr');
  const values: readonly unknown[] = level !== null && Array.isArray(value) ? value : [value];
  const time = claimAt(claims, loginTime ?? 'auth_time');
  return {
    levels: values.flatMap((one) =>
      typeof one === 'string' || (level !== null && typeof one === 'number') ? `${one}` : [],
    ),
    time: typeof time === 'number' ? time : loginTime === null ? Number.NaN : secondsOf(time),
  };
}

// A number of seconds since 1970, or a date and time of ISO 8601 with its zone.
function secondsOf(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) / 1_000 : Number.NaN;
}

/**
 * Returns a function that throws 401 `step-up-nodig` when the login is too weak or too old, with a challenge that names
 * the required login (RFC 9470), and 403 when `policy` is null. It keeps nothing of the token but the login and `found`
 * (for the log).
 */
export const stepUpCheck =
  ({ levels, time }: Login, policy: StepUpPolicy | null, found: string) =>
  (): void => {
    if (policy === null) throw stepUpSwitchedOff();
    const { acr: accepted, maxAge } = policy;
    const age = Date.now() / 1_000 - time;
    if (!levels.some((level) => accepted.includes(level)))
      throw stepUpNeeded(policy, { reason: 'login too weak', found });
    if (!(age >= -LEEWAY && age <= maxAge)) throw stepUpNeeded(policy, { reason: 'login too old', found });
  };
