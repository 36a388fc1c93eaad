import { Problem } from '../problem.ts';
import type { ProfessionalRole, StaffRole } from '../wire/values.ts';

/** The parts of a request from which the caller is identified. Node's `IncomingMessage` has this shape. */
export interface IncomingRequest {
  /** In capitals; absent when unknown. */
  readonly method?: string | undefined;
  /** Keyed by header name in lower case. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

interface KnownCaller {
  // Stable id under which applications and uploads are stored. It is never a burgerservicenummer.
  readonly subject: string;
  // Other ids that a letter can have for its authors: under a former key, and `sub` itself, by which the register names
  // a drafter.
  readonly otherSubjects?: readonly string[];
  // Callers with the same workspace work on the same letter. In the simulator it is the name of the caller's world.
  readonly workspace: string;
}

/** A caller who is, or wants to become, a registered healthcare professional. */
export interface Professional extends KnownCaller {
  readonly kind: 'professional';
  /** Burgerservicenummer, nine digits; null for a person without one, for whom the BRP and DUO are not called. */
  readonly bsn: string | null;
  /** The register knows a person without a burgerservicenummer by this id; not used for other persons. */
  readonly loginId: string;
  /** For letters and the administration of uploads; usually none. */
  readonly roles: readonly ProfessionalRole[];
}

/** A caller who works at the register. */
export interface Staff extends KnownCaller {
  readonly kind: 'staff';
  readonly roles: readonly StaffRole[];
}

/** The issuer of the token, or the stand-in headers, say which of the two a caller is. */
export type Caller = Professional | Staff;

export interface Identified {
  readonly caller: Caller;
  /** What the token has, as names and kinds without values, for the log of a refusal. */
  readonly found?: string;
  /**
   * Throws 401 `step-up-nodig` when the login is too old or too weak to see full register numbers (RFC 9470; domain.md
   * 4.2), and 403 when no login is strong enough. Only for a request with `X-Step-Up` (specification.md,
   * "Authentication 4").
   */
  demandStepUp(): void;
}

/** The port that identifies the caller of a request. */
export interface Identity {
  /**
   * Throws (or rejects with) a 401 `Problem` when the headers do not identify a caller (specification.md,
   * "Authentication 2"), and an `UpstreamError` when the token issuer gives no usable answer.
   */
  identify(request: IncomingRequest): Identified | Promise<Identified>;
}

// Values of `X-Step-Up` that mean no.
const NO = ['', '0', 'false', 'no'];

/** Returns true when a request asks to see register numbers in full: one header `X-Step-Up` that does not mean no. */
export function wantsStepUp(request: IncomingRequest): boolean {
  const [value = '', ...others] = request.headersDistinct['x-step-up'] ?? [];
  return others.length === 0 && !NO.includes(value.trim().toLowerCase());
}

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** The header of a 401 for a request without a usable `Authorization` header (RFC 6750, section 3). */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

/** The header of a 401 for a request whose token is refused (RFC 6750, section 3.1). */
export const INVALID_TOKEN = { 'WWW-Authenticate': 'Bearer error="invalid_token"' } as const;

/** Throws 401 `niet-ingelogd` when the Authorization header is absent, repeated or malformed. */
export function bearerToken(request: IncomingRequest): string {
  const values = request.headersDistinct.authorization ?? [];
  const token = values.length === 1 ? BEARER.exec(values[0] ?? '')?.[1] : undefined;
  if (token !== undefined) return token;
  const detail =
    values.length === 0
      ? {
          detail: 'De kopregel Authorization ontbreekt. Stuur `Authorization: Bearer <token>`.',
          english: 'The header Authorization is missing. Send `Authorization: Bearer <token>`.',
        }
      : {
          detail: 'De kopregel Authorization is onbruikbaar. Stuur hem één keer, als `Authorization: Bearer <token>`.',
          english: 'The header Authorization is unusable. Send it once, as `Authorization: Bearer <token>`.',
        };
  const reason = values.length === 0 ? 'no Authorization' : 'unusable Authorization';
  throw new Problem('niet-ingelogd', detail, { headers: CHALLENGE, reason });
}

const INVALID = {
  detail: 'Het token is ongeldig of verlopen. Log opnieuw in.',
  english: 'The token is not valid, or has expired. Log in again.',
};

/**
 * Returns the problem 401 `niet-ingelogd`, with the same text for every cause (RFC 6750, section 3.1). `reason` and
 * `found`, what the token has instead, are for the log only.
 */
export const invalidToken = (reason: string, found: string): Problem =>
  new Problem('niet-ingelogd', INVALID, { headers: INVALID_TOKEN, reason, found });
