import { rule } from './rule.ts';

/** Input of the rule `maskRegisterNummer`: the number, and whether the caller may see it in full. */
interface MaskFacts {
  /** The full register number; null for a person without a registration. */
  readonly registerNummer: string | null;
  /** True when this call has a valid step-up (`X-Step-Up`). */
  readonly steppedUp: boolean;
}

/**
 * Returns an object with the register number: in full after a step-up (a stronger login), otherwise with only its last
 * two digits visible (`*********30`), and null for a person without a registration.
 */
export const maskRegisterNummer = rule(
  'specification.md, "Authentication 4"; domain 4.2',
  function maskRegisterNummer({ registerNummer, steppedUp }: MaskFacts): { registerNummer: string | null } {
    if (registerNummer === null || steppedUp) return { registerNummer };
    return { registerNummer: registerNummer.slice(-2).padStart(registerNummer.length, '*') };
  },
);
