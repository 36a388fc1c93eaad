/** Licences under which a package may be part of what we ship: all of them let it be used and passed on as it is, with their text. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/** Packages that declare no licence in the member of package.json that tools read, and what their LICENSE file says (docs/licences.md). */
export const BY_FILE: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' };
