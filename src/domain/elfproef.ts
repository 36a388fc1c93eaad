/** Returns the ninth digit with which eight digits pass the 11-test; 10 when no digit does. */
export const checkDigit = (eight: string): number =>
  [...eight].reduce((sum, digit, index) => sum + Number(digit) * (9 - index), 0) % 11;

/** Nine digits that are not all zero, as a BSN or an RSIN. */
export const passesElfproef = (text: string): boolean =>
  /^\d{9}$/.test(text) && text !== '000000000' && checkDigit(text.slice(0, 8)) === Number(text[8]);
