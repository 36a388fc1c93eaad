import { describe, expect, it } from 'vitest';
import { checkDigit, passesElfproef } from '../../src/domain/identifiers.ts';

describe('the 11-test', () => {
  it.each(['111222333', '123456782', '999990019'])('accepts %s', (number) => {
    expect(passesElfproef(number)).toBe(true);
  });

  it.each([
    ['a number with another last digit', '111222334'],
    ['a number with two digits exchanged', '111223233'],
    ['a number of only zeros', '000000000'],
    ['eight digits', '11122233'],
    ['ten digits', '1112223330'],
    ['a letter', '11122233A'],
    ['a space', ' 111222333'],
  ])('refuses %s', (_, text) => {
    expect(passesElfproef(text)).toBe(false);
  });

  it('accepts exactly one ninth digit, which checkDigit returns, and none when checkDigit returns 10', () => {
    for (let prefix = 90_000_000; prefix < 90_000_200; prefix += 1) {
      const passing = [...'0123456789'].filter((digit) => passesElfproef(`${prefix}${digit}`));
      const digit = checkDigit(String(prefix));
      expect(passing).toEqual(digit === 10 ? [] : [String(digit)]);
    }
  });
});
