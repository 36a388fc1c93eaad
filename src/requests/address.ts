/** Rules for a new correspondence address, and its form at the register (domain.md 4.7). */
import type { ProblemFault, Sentence } from '../problem.ts';
import type { AdresDto } from '../wire/records.ts';

type AskedAdres = Readonly<Partial<AdresDto>>;

const NO_POSTCODE = { detail: 'Vul uw postcode in.', english: 'Fill in the postcode.' };

// Such as a control character, or one that reverses the direction of the text.
const UNREADABLE = /\p{C}/u;
const RETYPE = {
  detail: 'Er staat een teken in dat wij niet kunnen lezen. Typ het opnieuw.',
  english: 'It has a character that cannot be read. Type it again.',
};

const wrong = (pointer: string, said: Sentence): ProblemFault[] => [{ code: 'adres-ongeldig', pointer, ...said }];
const wrongStraat = (said: Sentence) => wrong('/straat', said);
const wrongWoonplaats = (said: Sentence) => wrong('/woonplaats', said);

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
  const text = tidy(straat);
  if (text === '')
    return wrongStraat({ detail: 'Vul uw straat en huisnummer in.', english: 'Fill in the street and house number.' });
  if ([...text].length > 80)
    return wrongStraat({
      detail: 'Straat en huisnummer zijn samen ten hoogste 80 tekens.',
      english: 'At most 80 characters.',
    });
  if (UNREADABLE.test(text)) return wrong('/straat', RETYPE);
  // A Dutch street can begin with a number ("1e Oosterparkstraat 12"): its house number comes after the first letter.
  // Abroad, the house number can come first ("12 Rue de Rivoli").
  const name = text.search(/\p{L}/u);
  const hasNumber = abroad ? /\d/.test(text) : /\s\d/.test(text.slice(name));
  if (name === -1)
    return wrongStraat({ detail: 'De naam van de straat ontbreekt.', english: 'The name of the street is missing.' });
  return hasNumber
    ? []
    : wrongStraat({
        detail: `Er ontbreekt een huisnummer${abroad ? '' : ' achter de straat'}.`,
        english: 'The house number is missing.',
      });
}

// The letters SA, SD and SS do not occur (domain.md 4.7).
function checkPostcode(postcode: string | null | undefined): ProblemFault[] {
  const text = postcode?.trim() ?? '';
  if (text === '') return wrong('/postcode', NO_POSTCODE);
  if (/^[1-9]\d{3} ?[A-Za-z]{2}$/.test(text) && !/S[ADS]$/i.test(text)) return [];
  return wrong('/postcode', POSTCODE_FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? POSTCODE);
}

const POSTCODE = {
  detail: 'Een postcode is vier cijfers en twee letters, bijvoorbeeld 3511 AB.',
  english: 'A postcode is four digits and two letters, such as 3511 AB.',
};
// Texts that resemble a Dutch postcode.
const POSTCODE_FAULTS: readonly (readonly [RegExp, Sentence])[] = [
  [
    /^[1-9]\d{3} ?S[ADS]$/i,
    {
      detail: 'De letters SA, SD en SS komen in postcodes niet voor.',
      english: 'No postcode has the letters SA, SD or SS.',
    },
  ],
  [
    /^0\d{3}\s*[A-Za-z]{2}$/,
    { detail: 'Een postcode begint niet met een 0.', english: 'A postcode does not begin with 0.' },
  ],
  [
    /^\d{4}\s{2,}[A-Za-z]{2}$/,
    {
      detail: 'Schrijf ten hoogste één spatie tussen de cijfers en de letters van de postcode.',
      english: 'Write at most one space between the digits and the letters.',
    },
  ],
  [
    /^\d{4}[-–.][A-Za-z]{2}$/,
    {
      detail: 'Schrijf een spatie, of niets, tussen de cijfers en de letters van de postcode.',
      english: 'Write a space, or nothing, between the digits and the letters.',
    },
  ],
  [
    /^\d{4}$/,
    { detail: 'De twee letters van de postcode ontbreken.', english: 'The two letters of the postcode are missing.' },
  ],
];

function checkForeignPostcode(postcode: string | null | undefined): ProblemFault[] {
  const text = postcode?.trim() ?? '';
  if (text === '') return wrong('/postcode', NO_POSTCODE);
  return /^[\p{L}\d][\p{L}\d -]{0,8}[\p{L}\d]$/u.test(text)
    ? []
    : wrong('/postcode', {
        detail: 'Een buitenlandse postcode is 2 tot 10 letters, cijfers, spaties of streepjes.',
        english: 'A foreign postcode has 2 to 10 letters, digits, spaces or hyphens.',
      });
}

function checkWoonplaats(woonplaats: string | null | undefined): ProblemFault[] {
  const text = tidy(woonplaats);
  if (text === '') return wrongWoonplaats({ detail: 'Vul uw woonplaats in.', english: 'Fill in the town.' });
  if ([...text].length > 80)
    return wrongWoonplaats({ detail: 'Een woonplaats is ten hoogste 80 tekens.', english: 'At most 80 characters.' });
  if (UNREADABLE.test(text)) return wrong('/woonplaats', RETYPE);
  return /\p{L}/u.test(text) && !/\p{N}/u.test(text)
    ? []
    : wrongWoonplaats({
        detail: 'Schrijf de naam van uw woonplaats met letters, zonder cijfers.',
        english: 'Write the name of the town with letters, without digits.',
      });
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
