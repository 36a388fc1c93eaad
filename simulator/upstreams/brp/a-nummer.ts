/**
 * Returns a fictional A-nummer (administration number in the BRP, ten digits) for a burgerservicenummer. It meets the
 * rules of Logisch Ontwerp GBA, 01.10, and is always the same for the same burgerservicenummer.
 */
export function aNummerOf(bsn: string): string {
  const slot = Number(bsn.slice(1, 8));
  // Four A-nummers share their first seven digits. Because of the large step, consecutive numbers look different.
  let rest = (Math.floor(slot / 4) * STEP) % PREFIXES;
  const prefix: number[] = [];
  for (let previous = 0; prefix.length < 7; previous = prefix.at(-1) ?? 0) {
    const digit = rest % 9;
    rest = Math.floor(rest / 9);
    prefix.push(digit < previous ? digit : digit + 1);
  }
  // Every prefix has at least ten endings that pass.
  for (let ending = 0, found = 0; ; ending += 1) {
    const digits = [...prefix, ...digitsOf(ending)];
    if (passes(digits) && found++ === slot % 4) return digits.join('');
  }
}

/** Number of groups of seven digits that do not begin with 0 and in which no two neighbours are the same. */
const PREFIXES = 9 ** 7;
const STEP = 2_956_037;

const digitsOf = (ending: number): number[] => [Math.floor(ending / 100), Math.floor(ending / 10) % 10, ending % 10];

function passes(digits: readonly number[]): boolean {
  const sum = digits.reduce((total, digit) => total + digit, 0) % 11;
  const weighted = digits.reduce((total, digit, index) => total + digit * 2 ** index, 0) % 11;
  return (sum === 0 || sum === 5) && weighted === 0 && digits.every((digit, index) => digit !== digits[index + 1]);
}
