/**
 * The licences that a shipped package may have. They all allow use and redistribution with the text of the licence.
 */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/**
 * The licences of packages without `license` in package.json, from their LICENSE file (docs/licences.md); keyed by
 * name.
 */
export const BY_FILE: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' };
