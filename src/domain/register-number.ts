import { rule } from './rule.ts';

/** Input of the rule `maskRegisterNummer`, which hides a register number unless the login is strong enough. */
interface MaskFacts {
  /** The full register number; null for a person without a registration. */
  readonly registerNummer: string | null;
  /** True when the caller asked for the full number and has a strong and recent login (step-up). */
  readonly steppedUp: boolean;
}

/**
 * Returns the register number in full after a step-up (a stronger login), otherwise with only its last two digits
 * visible. Null stays null.
 */
export const maskRegisterNummer = rule(
  'specification.md, "Authentication 4"; domain 4.2',
  function maskRegisterNummer({ registerNummer, steppedUp }: MaskFacts): { registerNummer: string | null } {
    if (registerNummer === null || steppedUp) return { registerNummer };
    return { registerNummer: registerNummer.slice(-2).padStart(registerNummer.length, '*') };
  },
);
