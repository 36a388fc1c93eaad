/**
 * Returns the ninth digit that makes eight digits pass the 11-test (checksum) of Dutch personal numbers; 10 when no
 * digit does.
 */
export const checkDigit = (eight: string): number =>
  [...eight].reduce((sum, digit, index) => sum + Number(digit) * (9 - index), 0) % 11;

/**
 * Returns true for nine digits that pass the 11-test and are not all zero, as a burgerservicenummer or an RSIN must.
 */
export const passesElfproef = (text: string): boolean =>
  /^\d{9}$/.test(text) && text !== '000000000' && checkDigit(text.slice(0, 8)) === Number(text[8]);
