/** Ranges of fictitious burgerservicenummers. No number of these ranges is given to a real person. */
import { checkDigit } from '../../src/domain/elfproef.ts';

/**
 * A range of burgerservicenummers, one for each slot. For some first eight digits no ninth digit passes the 11-test, so
 * a slot has two values for the first eight digits; at least one of them has a ninth digit that passes.
 */
export interface BsnRange {
  /** First eight digits of the numbers in slot 0. */
  readonly from: number;
  readonly slots: number;
}
/** Burgerservicenummers of the generated citizens in the default world. `burger-<n>` has the number in slot n. */
export const BURGER_NUMBERS: BsnRange = { from: 90_000_000, slots: 1_000_000 };
/** Burgerservicenummers of all persons in named worlds. */
export const WORLD_NUMBERS: BsnRange = { from: 92_100_000, slots: 3_900_000 };
/**
 * Burgerservicenummers of own personas whose file gives no number. The numbers of built-in personas begin with 99999 or
 * 99985.
 */
const OWN_NUMBERS: BsnRange = { from: 99_900_000, slots: 40_000 };

/** Returns the burgerservicenummer in a slot of a range. */
export function bsnAt({ from }: BsnRange, slot: number): string {
  const prefix = String(from + 2 * slot);
  const digit = checkDigit(prefix);
  return digit < 10 ? prefix + digit : bsnOfNeighbour(Number(prefix) + 1);
}

const bsnOfNeighbour = (prefix: number): string => `${prefix}${checkDigit(String(prefix))}`;

/** Returns the slot of a burgerservicenummer in a range; null when the number is not in the range. */
export function slotOf(range: BsnRange, bsn: string): number | null {
  const slot = Math.floor((Number(bsn.slice(0, 8)) - range.from) / 2);
  return slot >= 0 && slot < range.slots && bsnAt(range, slot) === bsn ? slot : null;
}

/**
 * The burgerservicenummers for own personas: how many there are (`slots`), and a function that returns the number in a
 * slot.
 */
export const ownNumber = { slots: OWN_NUMBERS.slots, at: (slot: number): string => bsnAt(OWN_NUMBERS, slot) };

/**
 * Returns true for a burgerservicenummer that is only used for tests: a number in one of these ranges, or one that
 * begins with 999.
 */
export const isTestNumber = (bsn: string): boolean =>
  /^999\d{6}$/.test(bsn) || [BURGER_NUMBERS, WORLD_NUMBERS].some((range) => slotOf(range, bsn) !== null);
