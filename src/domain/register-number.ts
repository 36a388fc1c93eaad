import { rule } from './rule.ts';

interface MaskFacts {
  readonly registerNummer: string | null;
  readonly steppedUp: boolean;
}

/** In full after a step-up, otherwise with only its last two digits visible. Null stays null. */
export const maskRegisterNummer = rule(
  'specification.md, "Authentication 4"; domain 4.2',
  function maskRegisterNummer({ registerNummer, steppedUp }: MaskFacts): { registerNummer: string | null } {
    if (registerNummer === null || steppedUp) return { registerNummer };
    return { registerNummer: registerNummer.slice(-2).padStart(registerNummer.length, '*') };
  },
);
