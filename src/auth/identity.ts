import type { ProfessionalRole, StaffRole } from '../wire/values.ts';

/** The parts of an HTTP request from which its caller is identified. Node's `IncomingMessage` has this shape. */
export interface IncomingRequest {
  /** The HTTP method in capitals; absent when it is not known. */
  readonly method?: string | undefined;
  /** All values of each header, in a list, keyed by name in lower case. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  /** The connection of the request; absent in the browser build. */
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

/** A caller who is a registered professional, or who applies to become one. */
export interface Professional {
  readonly kind: 'professional';
  /** Stable id of the caller, under which applications and uploads are stored. It is never a burgerservicenummer. */
  readonly subject: string;
  /** Burgerservicenummer, nine digits; null for a person without one, for whom the BRP and DUO are not called. */
  readonly bsn: string | null;
  /**
   * Login by which the register identifies a person without a burgerservicenummer. It is not used for other persons.
   */
  readonly loginId: string;
  /**
   * Roles of the professional for letters and for the administration of uploads. Most professionals have none (an empty
   * list).
   */
  readonly roles: readonly ProfessionalRole[];
  /**
   * The workspace of the caller: callers with the same workspace share one letter. It comes from a token claim; with
   * the simulated login it is the name of the simulator's world (a separate copy of all people).
   */
  readonly workspace: string;
}

/** A caller who works at the register. */
export interface Staff {
  readonly kind: 'staff';
  /**
   * Stable id of the caller, which a letter stores of the people who worked on it. It is never a burgerservicenummer.
   */
  readonly subject: string;
  readonly roles: readonly StaffRole[];
  /**
   * The workspace of the caller: callers with the same workspace share one letter. It comes from a token claim; with
   * the simulated login it is the name of the simulator's world (a separate copy of all people).
   */
  readonly workspace: string;
}

/** The caller of a request: a professional or an employee of the register. */
export type Caller = Professional | Staff;

/** The result of identification: the caller, and a function that checks the strength of the login. */
export interface Identified {
  readonly caller: Caller;
  /**
   * Throws 401 `step-up-nodig` when the login is too old or too weak for full register numbers (RFC 9470; domain.md
   * 4.2). Call it only when the request asks for full numbers with `X-Step-Up` (specification.md, "Authentication 4").
   */
  demandStepUp(): void;
}

/** The port that finds the caller of a request from its headers. */
export interface Identity {
  /**
   * Returns the caller. Returns a promise only when there is something to wait for, for example the keys of the token
   * issuer. Fails with a 401 `Problem` when the headers do not identify exactly one caller (specification.md,
   * "Authentication 2"), and with `UpstreamError` when the token issuer gives no usable answer.
   */
  identify(request: IncomingRequest): Identified | Promise<Identified>;
}

/** Values of `X-Step-Up` that do not ask for a step-up, which is a stronger login (domain.md 4.2). */
const NO = ['', '0', 'false', 'no'];

/**
 * Returns true when a request asks for full register numbers: it has exactly one `X-Step-Up` header, and its value is
 * not in `NO`. Returns false without that header, and when it is repeated.
 */
export function wantsStepUp(request: IncomingRequest): boolean {
  const [value = '', ...others] = request.headersDistinct['x-step-up'] ?? [];
  return others.length === 0 && !NO.includes(value.trim().toLowerCase());
}
