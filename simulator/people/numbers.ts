/** Ranges of fictitious burgerservicenummers (citizen service numbers). No real person has a number in these ranges. */
import { checkDigit } from '../../src/domain/elfproef.ts';

/**
 * A range of burgerservicenummers with one number for each slot: 0, 1, 2 and so on. Some first eight digits have no
 * valid ninth digit, so each slot has two consecutive values for them.
 */
export interface BsnRange {
  /** First eight digits of the number in slot 0, or one less than these. */
  readonly from: number;
  readonly slots: number;
}
/** Burgerservicenummers of the generated citizens in the default world. `burger-<n>` has the number in slot n. */
export const BURGER_NUMBERS: BsnRange = { from: 90_000_000, slots: 1_000_000 };
/** Burgerservicenummers of all persons in other worlds than the default world. */
export const WORLD_NUMBERS: BsnRange = { from: 92_100_000, slots: 3_900_000 };
/** Burgerservicenummers of personas from persona files that give no number. */
const OWN_NUMBERS: BsnRange = { from: 99_900_000, slots: 40_000 };

/** Returns the burgerservicenummer in a slot of a range. */
export function bsnAt({ from }: BsnRange, slot: number): string {
  const prefix = String(from + 2 * slot);
  const digit = checkDigit(prefix);
  return digit < 10 ? prefix + digit : bsnOfNeighbour(Number(prefix) + 1);
}

const bsnOfNeighbour = (prefix: number): string => `${prefix}${checkDigit(String(prefix))}`;

/** Returns the slot that has this burgerservicenummer; null when no slot of the range has it. */
export function slotOf(range: BsnRange, bsn: string): number | null {
  const slot = Math.floor((Number(bsn.slice(0, 8)) - range.from) / 2);
  return slot >= 0 && slot < range.slots && bsnAt(range, slot) === bsn ? slot : null;
}

/**
 * Burgerservicenummers for personas from persona files: how many there are (`slots`), and a function that returns the
 * number in a slot.
 */
export const ownNumber = { slots: OWN_NUMBERS.slots, at: (slot: number): string => bsnAt(OWN_NUMBERS, slot) };

/**
 * Returns true for a burgerservicenummer of a generated citizen or of a person in another world than the default world,
 * and for any that begins with 999. These are only used for tests.
 */
export const isTestNumber = (bsn: string): boolean =>
  /^999\d{6}$/.test(bsn) || [BURGER_NUMBERS, WORLD_NUMBERS].some((range) => slotOf(range, bsn) !== null);
