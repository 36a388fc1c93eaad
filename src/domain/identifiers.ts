import { rule } from './rule.ts';

/** Returns the ninth digit with which eight digits pass the 11-test; 10 when no digit does. */
export const checkDigit = (eight: string): number =>
  [...eight].reduce((sum, digit, index) => sum + Number(digit) * (9 - index), 0) % 11;

/** Nine digits that are not all zero, as a BSN or an RSIN. */
export const passesElfproef = (text: string): boolean =>
  /^\d{9}$/.test(text) && text !== '000000000' && checkDigit(text.slice(0, 8)) === Number(text[8]);

interface MaskFacts {
  readonly registerNummer: string | null;
  readonly steppedUp: boolean;
}

/**
 * Returns the register number in full after a step-up, otherwise with only its last two digits visible. Null stays
 * null.
 */
export const maskRegisterNummer = rule(
  'specification.md, "Authentication 4"; domain.md 4.2',
  function maskRegisterNummer({ registerNummer, steppedUp }: MaskFacts): { registerNummer: string | null } {
    if (registerNummer === null || steppedUp) return { registerNummer };
    return { registerNummer: registerNummer.slice(-2).padStart(registerNummer.length, '*') };
  },
);
