import type { FileType } from '../../wire/values.ts';
import { EXTENSIONS, RARE_EXTENSIONS } from './file-types.ts';

/**
 * Matches invisible characters, such as controls, bidirectional overrides and isolates, zero-width characters, fillers of
 * other scripts, and the blank of Braille.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const NOT_IN_NAMES = /[<>:"|?*]/g;
/** Matches the device names that Windows reserves. A file on Windows cannot have such a name. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
/** The maximum number of characters of a cleaned name, including its extension. */
const MAX_LENGTH = 200;
/** The maximum number of characters of a sent name that are used. Unicode normalization of a very long name is slow. */
const MAX_READ = 1_000;
/** The number of the `MAX_READ` characters that are taken from the end of a longer name, where its extension is. */
const READ_AT_END = 20;

/**
 * Returns a name that is safe on every file system, with a usual extension of the file's type (uploads.md, "File name").
 * Returns null when the name has the extension of another type, or when no characters remain after cleaning.
 */
export function cleanName(name: string, type: FileType): string | null {
  const whole = name.split(/[/\\]/).at(-1) ?? '';
  const base = whole.length > MAX_READ ? whole.slice(0, MAX_READ - READ_AT_END) + whole.slice(-READ_AT_END) : whole;
  // Normalized without the invisible characters: one of them between a letter and its accent keeps the two apart.
  const visible = base.toWellFormed().replace(INVISIBLE, '').normalize('NFC');
  const tidy = trimmed(visible.replace(NOT_IN_NAMES, '_'));
  const [, stem = tidy, extension] = /^(.*)\.([^.\s]{1,10})$/su.exec(tidy) ?? [];
  if (extension !== undefined && isExtension(extension)) {
    const given = extension.toLowerCase();
    if (!EXTENSIONS[type].includes(given)) return null;
    return withExtension(trimmed(stem), RARE_EXTENSIONS.includes(given) ? EXTENSIONS[type][0] : given);
  }
  return withExtension(tidy, EXTENSIONS[type][0]);
}

/**
 * Returns true when the text after the last dot of a name is an extension: at most five letters and digits. Returns
 * false for a number (`scan 2.1`), a version (`cv.v2`) and a longer word (`J.deVries`).
 */
const isExtension = (text: string): boolean => /^(?=.*[a-z])[a-z0-9]{1,5}$/i.test(text) && !/^v\d+$/i.test(text);

/**
 * Returns the text without dots and white space at its start and end. A regular expression would take quadratic time
 * for a long name with many spaces.
 */
function trimmed(text: string): string {
  const isEdge = (at: number) => /[.\s]/.test(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isEdge(from)) from += 1;
  while (to > from && isEdge(to - 1)) to -= 1;
  return text.slice(from, to);
}

function withExtension(stem: string, extension: string): string | null {
  if (stem === '') return null;
  const cut = (text: string) => trimmed([...text].slice(0, MAX_LENGTH - extension.length - 1).join(''));
  const short = cut(stem);
  const safe = RESERVED.test((short.split('.')[0] ?? '').trimEnd()) ? cut(`_${short}`) : short;
  return `${safe}.${extension}`;
}
