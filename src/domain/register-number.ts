import { rule } from './rule.ts';

/** What decides how a register number is shown. */
interface MaskFacts {
  /** Null when there is no registration. */
  readonly registerNummer: string | null;
  /** Whether the caller has stepped up on this call. */
  readonly steppedUp: boolean;
}

/** A register number as this caller may see it: in full after a step-up, else all but the last two digits hidden, `*********30`. */
export const maskRegisterNummer = rule(
  'specification, Authentication 4; domain 4.2',
  function maskRegisterNummer({ registerNummer, steppedUp }: MaskFacts): { registerNummer: string | null } {
    if (registerNummer === null || steppedUp) return { registerNummer };
    return { registerNummer: registerNummer.slice(-2).padStart(registerNummer.length, '*') };
  },
);
