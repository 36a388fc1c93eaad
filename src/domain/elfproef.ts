/**
 * Returns the ninth digit with which eight digits pass the 11-test, or 10 when no ninth digit does. A number with the
 * digits a to i passes the test when 9a + 8b + 7c + 6d + 5e + 4f + 3g + 2h − i is a multiple of 11.
 */
export const checkDigit = (eight: string): number =>
  [...eight].reduce((sum, digit, index) => sum + Number(digit) * (9 - index), 0) % 11;

/**
 * Returns true for nine digits that pass the 11-test and are not all zero. A burgerservicenummer and an RSIN (the
 * number of an organisation) must pass it.
 */
export const passesElfproef = (text: string): boolean =>
  /^\d{9}$/.test(text) && text !== '000000000' && checkDigit(text.slice(0, 8)) === Number(text[8]);
