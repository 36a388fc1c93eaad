import type { IncomingMessage } from 'node:http';
import type { ProfessionalRole, StaffRole } from '../wire/values.ts';

/** A registered professional, or someone on the way to being one. */
export interface Professional {
  readonly kind: 'professional';
  /** Who it is, stable over calls; what they make is theirs under this name. Never a burgerservicenummer. */
  readonly subject: string;
  /** Null for the few who have none; the BRP and DUO are then not asked. */
  readonly bsn: string | null;
  /** How the register knows someone without a burgerservicenummer. */
  readonly loginId: string;
  readonly role: ProfessionalRole;
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

/**
 * Tells who calls, from the request's headers alone. Throws a 401 `Problem` when it cannot tell, and never guesses:
 * identity fails closed (specification, Authentication 2).
 */
export interface Identity {
  identify(request: IncomingMessage): Caller;
  /** Whether this call may see register numbers in full (specification, Authentication 4). */
  steppedUp(request: IncomingMessage): boolean;
}
