/** The licences that a production dependency may have. They allow redistribution with the text of the licence. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/** The licences, read from their LICENSE files, of packages whose package.json has no `license` (docs/licences.md). */
export const BY_FILE: Readonly<Record<string, string>> = { busboy: 'MIT', 'png-js': 'MIT', streamsearch: 'MIT' };

/**
 * Packages of whole files that the pages and the letters of the simulator use unchanged, with licences that ask more
 * (docs/decisions/0037-packages-of-others.md). The artefact has none of them.
 */
export const ASSETS =
  /^(@expo-google-fonts\/source-sans-3|@nl-design-system-unstable\/voorbeeld-design-tokens|@utrecht\/[\w-]+-css)$/;
