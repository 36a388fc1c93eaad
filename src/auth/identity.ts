import type { ProfessionalRole, StaffRole } from '../wire/values.ts';

/** The parts of an HTTP request from which its caller is identified. Node's `IncomingMessage` has this shape. */
export interface IncomingRequest {
  /** The HTTP method in capitals; absent when unknown. */
  readonly method?: string | undefined;
  /** All values of each header, keyed by header name in lower case. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  /** The connection of the request; absent in the browser build. */
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

/** What is known of each caller. */
interface KnownCaller {
  /** Stable id of the caller, under which applications and uploads are stored. It is never a burgerservicenummer. */
  readonly subject: string;
  /**
   * Other ids of this caller that a letter can have for its authors: ids under a former key, and `sub` itself, by which
   * the register names a drafter. Absent when there are none.
   */
  readonly otherSubjects?: readonly string[];
  /**
   * Name of the caller's tenant: callers with the same workspace work on the same letter. In the simulator it is the name
   * of the caller's world, which is a separate copy of all simulated people and data.
   */
  readonly workspace: string;
}

/** A caller who is, or wants to become, a registered healthcare professional. */
export interface Professional extends KnownCaller {
  readonly kind: 'professional';
  /** Burgerservicenummer, nine digits; null for a person without one, for whom the BRP and DUO are not called. */
  readonly bsn: string | null;
  /** The id by which the register knows a person without a burgerservicenummer; not used for other persons. */
  readonly loginId: string;
  /** Extra roles, for letters and for the administration of uploads; usually an empty list. */
  readonly roles: readonly ProfessionalRole[];
}

/** A caller who works at the register. */
export interface Staff extends KnownCaller {
  readonly kind: 'staff';
  readonly roles: readonly StaffRole[];
}

/** Who sends a request. Which of the two follows from the issuer of the token, or from the stand-in headers. */
export type Caller = Professional | Staff;

/** The result of identification: the caller, and a check of the strength of the login. */
export interface Identified {
  readonly caller: Caller;
  /** What the token of the caller has, as names and kinds without values, for the log of a refusal. */
  readonly found?: string;
  /**
   * Throws 401 `step-up-nodig` when the login is too old or too weak to see full register numbers (RFC 9470; domain.md
   * 4.2), and 403 when no login is strong enough. Call it only for a request with `X-Step-Up` (specification.md, "Authentication 4").
   */
  demandStepUp(): void;
}

/** The port that identifies the caller of a request. */
export interface Identity {
  /**
   * Returns the caller. Throws (or rejects with) a 401 `Problem` when the headers do not identify a caller
   * (specification.md, "Authentication 2"), and an `UpstreamError` when the token issuer gives no usable answer.
   */
  identify(request: IncomingRequest): Identified | Promise<Identified>;
}

/** Values of the header `X-Step-Up` that mean no. */
const NO = ['', '0', 'false', 'no'];

/** Returns true when a request asks to see register numbers in full: one header `X-Step-Up` that does not mean no. */
export function wantsStepUp(request: IncomingRequest): boolean {
  const [value = '', ...others] = request.headersDistinct['x-step-up'] ?? [];
  return others.length === 0 && !NO.includes(value.trim().toLowerCase());
}
