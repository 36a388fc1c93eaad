import { Problem } from '../problem.ts';
import type { IncomingRequest } from './identity.ts';

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** For a request without a usable `Authorization` header (RFC 6750, section 3). */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

/** For a request whose token is refused (RFC 6750, section 3.1). */
export const INVALID_TOKEN = { 'WWW-Authenticate': 'Bearer error="invalid_token"' } as const;

/** Throws 401 `niet-ingelogd` when the Authorization header is absent, repeated or malformed. */
export function bearerToken(request: IncomingRequest): string {
  const values = request.headersDistinct.authorization ?? [];
  const token = values.length === 1 ? BEARER.exec(values[0] ?? '')?.[1] : undefined;
  if (token !== undefined) return token;
  const detail =
    values.length === 0
      ? 'De kopregel Authorization ontbreekt. Stuur `Authorization: Bearer <token>`.'
      : 'De kopregel Authorization is onbruikbaar. Stuur hem één keer, als `Authorization: Bearer <token>`.';
  const reason = values.length === 0 ? 'no Authorization' : 'unusable Authorization';
  throw new Problem('niet-ingelogd', detail, { headers: CHALLENGE, reason });
}

/**
 * Returns the problem 401 `niet-ingelogd`, with the same text for every cause (RFC 6750, section 3.1). `reason` and
 * `found`, what the token has instead, are for the log only.
 */
export const invalidToken = (reason: string, found: string): Problem =>
  new Problem('niet-ingelogd', 'Het token is ongeldig of verlopen. Log opnieuw in.', {
    headers: INVALID_TOKEN,
    reason,
    found,
  });
