const NAMES = new Intl.DisplayNames('nl', { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Codes with a name that is not of a country, such as the European Union; Kosovo has one for private use (ISO 3166-1). */
const NO_COUNTRY = /^(EU|EZ|UN|Q[M-Z]|X[^K]|ZZ)$/;

/** The Dutch names of all countries that the browser knows. A code of a country that has ended has the name of today. */
export const COUNTRIES = [
  ...new Set(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
      .filter((code) => !NO_COUNTRY.test(code))
      .flatMap((code) => NAMES.of(code) ?? []),
  ),
].toSorted((one, other) => one.localeCompare(other, 'nl'));

/** Names that people use for a country, or for a part of it that has its own diplomas. */
const ALSO: Record<string, readonly string[]> = {
  Nederland: ['Holland'],
  'Verenigd Koninkrijk': ['Engeland', 'Schotland', 'Wales', 'Noord-Ierland', 'Groot-Brittannië'],
  'Verenigde Staten': ['Amerika', 'Verenigde Staten van Amerika'],
};

const { compare } = new Intl.Collator('nl', { sensitivity: 'base' });

/** Returns the name of the country that a user typed, without regard to capitals and accents; undefined for another text. */
export const countryOf = (text: string) =>
  COUNTRIES.find((name) => [name, ...(ALSO[name] ?? [])].some((one) => compare(one, text.trim()) === 0));
