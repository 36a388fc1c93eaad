import { EXTENSIONS, type FileType } from './file-types.ts';

/** C0 and C1 controls, bidirectional overrides and isolates, zero-width and other invisible ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;
const NOT_IN_NAMES = /[<>:"|?*]/g;
/** Names of devices on Windows, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
const MOST = 200;
/**
 * Characters of a name that are looked at, and how many of them at its end: no file system has longer ones, and to compose
 * sixteen thousand accents on one letter takes as long as a hundred requests.
 */
const READ = 1_000;
const ENDING = 20;

/**
 * A name under which a document can be saved anywhere, with the extension of what it is (uploads.md, "File name"). Null when
 * the name ends in the extension of something else, or nothing is left of it.
 */
export function cleanName(name: string, type: FileType): string | null {
  const whole = name.split(/[/\\]/).at(-1) ?? '';
  const base = (whole.length > READ ? whole.slice(0, READ - ENDING) + whole.slice(-ENDING) : whole)
    .toWellFormed()
    .normalize('NFC');
  const tidy = trimmed(base.replace(INVISIBLE, '').replace(NOT_IN_NAMES, '_'));
  const [, stem = tidy, extension] = /^(.*)\.([^.\s]{1,10})$/su.exec(tidy) ?? [];
  if (extension !== undefined && isExtension(extension)) {
    if (!EXTENSIONS[type].includes(extension.toLowerCase())) return null;
    return withExtension(trimmed(stem), extension.toLowerCase());
  }
  return withExtension(tidy, EXTENSIONS[type][0]);
}

/** What follows the last dot, unless it is a number (`scan 2.1`), a version (`cv.v2`) or a word (`J.deVries`). */
const isExtension = (text: string): boolean => /^(?=.*[a-z])[a-z0-9]{1,5}$/i.test(text) && !/^v\d+$/i.test(text);

/** Without dots and spaces around it. By hand: a regular expression would try the end from every space in a long name. */
function trimmed(text: string): string {
  const isEdge = (at: number) => /[.\s]/.test(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isEdge(from)) from += 1;
  while (to > from && isEdge(to - 1)) to -= 1;
  return text.slice(from, to);
}

function withExtension(stem: string, extension: string): string | null {
  if (stem === '') return null;
  const safe = RESERVED.test((stem.split('.')[0] ?? '').trimEnd()) ? `_${stem}` : stem;
  const room = MOST - extension.length - 1;
  return `${trimmed([...safe].slice(0, room).join(''))}.${extension}`;
}
