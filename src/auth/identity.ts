import type { ProfessionalRole, StaffRole } from '../wire/values.ts';

/** The headers of a request, each with all its values and its name in lower case, as Node's requests have them. */
export interface Sent {
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** A registered professional, or someone on the way to being one. */
export interface Professional {
  readonly kind: 'professional';
  /** Who it is, stable over calls; what they make is theirs under this name. Never a burgerservicenummer. */
  readonly subject: string;
  /** Null for the few who have none; the BRP and DUO are then not asked. */
  readonly bsn: string | null;
  /** How the register knows someone without a burgerservicenummer. */
  readonly loginId: string;
  /** Roles in the letter and the administration; none for nearly everyone. */
  readonly roles: readonly ProfessionalRole[];
  readonly workspace: string;
}

/** Someone who works at the register. */
export interface Staff {
  readonly kind: 'staff';
  readonly subject: string;
  readonly roles: readonly StaffRole[];
  readonly workspace: string;
}

export type Caller = Professional | Staff;

/** Who calls, and how sure that is. */
export interface Identified {
  readonly caller: Caller;
  /**
   * Asked when the call wants to see register numbers in full (`X-Step-Up`; specification.md, "Authentication 4"). Throws a 401
   * `step-up-nodig` when the caller must first log in anew, or better (RFC 9470; domain.md 4.2).
   */
  demandStepUp(): void;
}

/**
 * Tells who calls, from the request's headers alone. Throws a 401 `Problem` when it cannot tell, and never guesses:
 * identity fails closed (specification.md, "Authentication 2"). At once where it can, as everybody waits for it.
 */
export interface Identity {
  identify(request: Sent): Identified | Promise<Identified>;
}

/** Whether a call asks to see register numbers in full: the header once, with anything in it. */
export function wantsStepUp(request: Sent): boolean {
  const values = request.headersDistinct['x-step-up'] ?? [];
  return values.length === 1 && values[0]?.trim() !== '';
}
