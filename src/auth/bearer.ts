import { Problem } from '../problem.ts';
import type { IncomingRequest } from './identity.ts';

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** The header of every 401 answer (RFC 9110, 11.6.1; RFC 6750, section 3). */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

/**
 * Returns the bearer token of a request. Throws 401 `niet-ingelogd` when the Authorization header is absent, repeated
 * or malformed. A token in the query is ignored (RFC 6750; NL GOV OAuth profile).
 */
export function bearerToken(request: IncomingRequest): string {
  const values = request.headersDistinct.authorization ?? [];
  const token = values.length === 1 ? BEARER.exec(values[0] ?? '')?.[1] : undefined;
  if (token !== undefined) return token;
  const detail =
    values.length === 0
      ? 'De kopregel Authorization ontbreekt. Stuur `Authorization: Bearer <token>`.'
      : 'De kopregel Authorization is onbruikbaar. Stuur hem één keer, als `Authorization: Bearer <token>`.';
  throw new Problem('niet-ingelogd', detail, { headers: CHALLENGE });
}
