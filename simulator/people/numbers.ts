/** Ranges of fictional burgerservicenummers (citizen service numbers). No real person has a number in these ranges. */
import { checkDigit } from '../../src/domain/identifiers.ts';

/**
 * A range of burgerservicenummers, in which each slot (0, 1, 2 and so on) has one number. A slot covers two values of
 * the first eight digits, because some values have no valid ninth digit; the number has the first value that has one.
 */
export interface BsnRange {
  /** The lowest value of the first eight digits in slot 0. */
  readonly from: number;
  readonly slots: number;
}
/** Burgerservicenummers of the generated citizens in the default world. `burger-<n>` has the number in slot n. */
export const BURGER_NUMBERS: BsnRange = { from: 90_000_000, slots: 1_000_000 };
/** Burgerservicenummers of all persons in other worlds than the default world. */
export const WORLD_NUMBERS: BsnRange = { from: 92_100_000, slots: 3_900_000 };
/** Burgerservicenummers for personas from persona files without a burgerservicenummer in the file. */
export const OWN_NUMBERS: BsnRange = { from: 99_900_000, slots: 40_000 };

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
 * Returns true for a burgerservicenummer that is only used for tests: of a generated citizen, of a person in another
 * world than the default, or one that begins with 999.
 */
export const isTestNumber = (bsn: string): boolean =>
  /^999\d{6}$/.test(bsn) || [BURGER_NUMBERS, WORLD_NUMBERS].some((range) => slotOf(range, bsn) !== null);
