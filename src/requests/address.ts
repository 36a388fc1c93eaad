/** Rules for a new correspondence address, and its form at the register (domain 4.7). */
import type { ProblemFault } from '../problem.ts';
import type { AdresDto } from '../wire/records.ts';

interface AskedAdres {
  readonly straat?: string | null;
  readonly postcode?: string | null;
  readonly woonplaats?: string | null;
}

const NO_POSTCODE = 'Vul uw postcode in.';

const wrong = (pointer: string, detail: string): ProblemFault[] => [{ code: 'adres-ongeldig', pointer, detail }];

/**
 * Returns a fault for each invalid part.
 *
 * @param abroad - without a residence in the Netherlands, an address may have a foreign form
 */
export const checkAdres = (asked: AskedAdres, { abroad }: { abroad: boolean }): ProblemFault[] => [
  ...checkStraat(asked.straat, abroad),
  ...(abroad ? checkForeignPostcode(asked.postcode) : checkPostcode(asked.postcode)),
  ...checkWoonplaats(asked.woonplaats),
];

function checkStraat(straat: string | null | undefined, abroad: boolean): ProblemFault[] {
  const text = straat?.trim() ?? '';
  if (text === '') return wrong('/straat', 'Vul uw straat en huisnummer in.');
  if ([...text].length > 80) return wrong('/straat', 'Straat en huisnummer zijn samen ten hoogste 80 tekens.');
  if (/\p{C}/u.test(text)) return wrong('/straat', 'Er staan tekens in die niet kunnen.');
  // A Dutch street can begin with a number ("1e Oosterparkstraat 12"): its house number comes after the first letter.
  // Abroad, the house number can come first ("12 Rue de Rivoli").
  const name = text.search(/\p{L}/u);
  const hasNumber = abroad ? /\d/.test(text) : /\s\d/.test(text.slice(name));
  return name >= 0 && hasNumber ? [] : wrong('/straat', 'Er ontbreekt een huisnummer.');
}

// The letters SA, SD and SS do not occur (domain 4.7).
function checkPostcode(postcode: string | null | undefined): ProblemFault[] {
  const text = postcode?.trim() ?? '';
  if (text === '') return wrong('/postcode', NO_POSTCODE);
  if (/^[1-9]\d{3} ?[A-Za-z]{2}$/.test(text) && !/S[ADS]$/i.test(text)) return [];
  return wrong('/postcode', POSTCODE_FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? POSTCODE);
}

const POSTCODE = 'Een postcode is vier cijfers en twee letters, bijvoorbeeld 3511 AB.';
// Texts that resemble a Dutch postcode.
const POSTCODE_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^[1-9]\d{3} ?S[ADS]$/i, 'De letters SA, SD en SS komen in postcodes niet voor.'],
  [/^0\d{3}\s*[A-Za-z]{2}$/, 'Een postcode begint niet met een 0.'],
  [/^\d{4}\s{2,}[A-Za-z]{2}$/, 'Schrijf ten hoogste één spatie tussen de cijfers en de letters van de postcode.'],
  [/^\d{4}[-–.][A-Za-z]{2}$/, 'Schrijf een spatie, of niets, tussen de cijfers en de letters van de postcode.'],
  [/^\d{4}$/, 'De twee letters van de postcode ontbreken.'],
];

function checkForeignPostcode(postcode: string | null | undefined): ProblemFault[] {
  const text = postcode?.trim() ?? '';
  if (text === '') return wrong('/postcode', NO_POSTCODE);
  return /^[\p{L}\d][\p{L}\d -]{0,8}[\p{L}\d]$/u.test(text)
    ? []
    : wrong('/postcode', 'Een buitenlandse postcode is 2 tot 10 letters, cijfers, spaties of streepjes.');
}

function checkWoonplaats(woonplaats: string | null | undefined): ProblemFault[] {
  const text = woonplaats?.trim() ?? '';
  if (text === '') return wrong('/woonplaats', 'Vul uw woonplaats in.');
  if ([...text].length > 80) return wrong('/woonplaats', 'Een woonplaats is ten hoogste 80 tekens.');
  return /\p{L}/u.test(text) && !/[\p{N}\p{C}]/u.test(text)
    ? []
    : wrong('/woonplaats', 'Schrijf de naam van uw woonplaats met letters, zonder cijfers.');
}

const tidy = (text: string | null | undefined): string => (text ?? '').normalize('NFC').trim().replace(/\s+/g, ' ');

/** Returns an address as the register expects it: Unicode NFC, single spaces and a postcode as `1234 AB`. */
export const toNewAdres = ({ straat, postcode, woonplaats }: AskedAdres) =>
  ({
    straat: tidy(straat),
    postcode: tidy(postcode)
      .toUpperCase()
      .replace(/^(\d{4}) ?([A-Z]{2})$/, '$1 $2'),
    woonplaats: tidy(woonplaats),
  }) satisfies AdresDto;

/** Compares addresses in the form that the register expects, apart from capitals. */
export function sameAdres(one: AskedAdres, other: AskedAdres): boolean {
  const [here, there] = [toNewAdres(one), toNewAdres(other)];
  return (['straat', 'postcode', 'woonplaats'] as const).every(
    (part) => here[part].toLowerCase() === there[part].toLowerCase(),
  );
}
