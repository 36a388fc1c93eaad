// Made when it is needed: Node reads the data of a language at its first use, which takes some 15 ms.
let format: Intl.NumberFormat | undefined;

/** Returns a number in Dutch notation, with a dot for thousands: `2.080`. */
export function dutchNumber(number: number): string {
  format ??= new Intl.NumberFormat('nl-NL');
  return format.format(number);
}
