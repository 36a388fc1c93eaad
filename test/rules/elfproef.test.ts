import { describe, expect, it } from 'vitest';
import { checkDigit, passesElfproef } from '../../src/domain/elfproef.ts';

describe('the 11-test', () => {
  it.each(['111222333', '123456782', '999990019'])('%s passes', (number) => {
    expect(passesElfproef(number)).toBe(true);
  });

  it.each([
    ['another last digit', '111222334'],
    ['two digits exchanged', '111223233'],
    ['all zeros, which the sum alone would let through', '000000000'],
    ['eight digits', '11122233'],
    ['ten digits', '1112223330'],
    ['a letter', '11122233A'],
    ['a space', ' 111222333'],
  ])('%s does not pass', (_, text) => {
    expect(passesElfproef(text)).toBe(false);
  });

  it('has no ninth digit for one prefix in eleven, and exactly one for the others', () => {
    for (let prefix = 90_000_000; prefix < 90_000_200; prefix += 1) {
      const passing = [...'0123456789'].filter((digit) => passesElfproef(`${prefix}${digit}`));
      const digit = checkDigit(String(prefix));
      expect(passing).toEqual(digit === 10 ? [] : [String(digit)]);
    }
  });
});
