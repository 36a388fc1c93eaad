import { latin1 } from './latin1.ts';
import type { Spool } from './spool.ts';

export type PdfVerdict = 'sound' | 'damaged' | 'encrypted';

/** How much of the end is searched for the last pointer, and of a trailer for its dictionary. */
const TAIL = 64 * 1024;
const DICTIONARY = 512 * 1024;
/** The table before a trailer has twenty bytes for every object. */
const MOST_TABLE = 12 * 1024 * 1024;
/** Earlier versions of a file that was saved with changes; more are not looked at. */
const MOST_VERSIONS = 8;

/**
 * Whether a PDF can be opened by whoever has to judge it, as far as that shows from its ends (ISO 32000-1, 7.5): it closes
 * with `startxref`, an offset and `%%EOF`, there is a trailer or cross-reference stream at that offset, and none of these,
 * of earlier versions too, says `/Encrypt`. A search for that word in the whole file would be wrong both ways.
 */
export async function inspectPdf(file: Spool): Promise<PdfVerdict> {
  const tail = ending(latin1(await file.read(Math.max(0, file.size - TAIL), file.size)));
  const [, last] = /startxref[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]+%%EOF$/.exec(tail) ?? [];
  if (last === undefined) return 'damaged';

  const seen = new Set<number>();
  const waiting = [Number(last)];
  for (let at = waiting.shift(); at !== undefined && seen.size <= MOST_VERSIONS; at = waiting.shift()) {
    if (seen.has(at)) continue;
    const isFirst = seen.size === 0;
    seen.add(at);
    const entries = await trailerAt(file, at);
    // An older version that cannot be read hinders nobody; the newest one is what a reader starts from.
    if (entries === null && isFirst) return 'damaged';
    if ((entries?.get('Encrypt') ?? 'null') !== 'null') return 'encrypted';
    for (const name of ['XRefStm', 'Prev']) {
      const offset = Number(entries?.get(name) ?? Number.NaN);
      if (Number.isSafeInteger(offset) && offset > 0) waiting.push(offset);
    }
  }
  return 'sound';
}

/** The last words of a text, without the white space after them: of that there may be much. */
function ending(text: string): string {
  let end = text.length;
  while (end > 0 && '\0\t\n\f\r '.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(Math.max(0, end - 2_048), end);
}

/** The entries of the trailer or cross-reference stream that belongs to an offset; null when there is none. */
async function trailerAt(file: Spool, at: number): Promise<Map<string, string> | null> {
  const start = latin1(await file.read(at, at + 64));
  if (/^\s*\d+\s+\d+\s+obj\b/.test(start)) {
    const entries = await dictionaryAt(file, at);
    return entries?.get('Type') === '/XRef' ? entries : null;
  }
  if (!/^\s*xref\b/.test(start)) return null;
  const trailer = await find(file, 'trailer', at);
  return trailer === null ? null : dictionaryAt(file, trailer);
}

async function dictionaryAt(file: Spool, at: number): Promise<Map<string, string> | null> {
  const text = latin1(await file.read(at, at + DICTIONARY));
  const [before] = /^(?:[\s\0]+|%[^\r\n]*|\d+|obj|trailer)*<</.exec(text.slice(0, 1_024)) ?? [];
  return before === undefined ? null : topEntries(text, before.length);
}

/** Where a word first stands at or after an offset, or null. */
async function find(file: Spool, word: string, from: number): Promise<number | null> {
  for (let at = from; at < Math.min(file.size, from + MOST_TABLE); at += DICTIONARY) {
    const text = latin1(await file.read(at, at + DICTIONARY + word.length));
    const found = text.indexOf(word);
    if (found !== -1) return at + found;
  }
  return null;
}

/** A name, a bracket of a dictionary or list, a string, a comment, or a number. */
const TOKEN = /\/([^\s\0()<>[\]{}/%]*)|<<|>>|\[|\]|\(|<[0-9A-Fa-f\s\0]*>|%[^\r\n]*|[^\s\0()<>[\]{}/%]+/g;

/** The entries at the top of a dictionary, with the first word of each value; null when it does not end. */
function topEntries(text: string, from: number): Map<string, string> | null {
  const entries = new Map<string, string>();
  let depth = 0;
  /** The name whose value comes next. */
  let name: string | undefined;
  const value = (word: string): void => {
    // Of a name that is there twice readers take either; one that says more than `null` counts.
    if (depth === 0 && name !== undefined && (entries.get(name) ?? 'null') === 'null') entries.set(name, word);
    name = undefined;
  };
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [word, asName] = token;
    if (word.startsWith('%')) continue;
    if (word === '<<' || word === '[') {
      value(word);
      depth += 1;
    } else if (word === '>>' || word === ']') {
      if (depth === 0) return entries;
      depth -= 1;
    } else if (word === '(') {
      value(word);
      TOKEN.lastIndex = endOfString(text, TOKEN.lastIndex);
      if (TOKEN.lastIndex === 0) return null;
    } else if (depth > 0) continue;
    else if (name === undefined && asName !== undefined) name = unescaped(asName);
    else value(word);
  }
  return null;
}

/** `#45ncrypt` is the same name as `Encrypt`. */
const unescaped = (name: string): string =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** After the closing bracket of a string that was opened before `from`, or 0 when it has none. Brackets in it nest, or are escaped. */
function endOfString(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return 0;
}
