/**
 * The licences that a production dependency may have. All of them allow use and redistribution, when the text of the
 * licence is included.
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
 * The licences of packages whose package.json has no `license`. They were read from the LICENSE file of the package
 * (docs/licences.md).
 */
export const BY_FILE: Readonly<Record<string, string>> = { busboy: 'MIT', 'png-js': 'MIT', streamsearch: 'MIT' };
