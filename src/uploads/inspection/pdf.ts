import type { Spool } from '../transport/spool.ts';
import { latin1 } from './latin1.ts';
import { readEntries, skipSpace, wordAt } from './pdf-dictionary.ts';

export type PdfVerdict = 'sound' | 'damaged' | 'encrypted';

/** How much of the end is searched for the last pointer, and of a trailer for its dictionary. */
const TAIL = 64 * 1024;
const DICTIONARY = 128 * 1024;
/** How much is searched for a trailer in one go. */
const STRETCH = 128 * 1024;
/** The table before a trailer has twenty bytes for every object. */
const MOST_TABLE = 12 * 1024 * 1024;
/** Earlier versions of a file that was saved with changes; more are not looked at. */
const MOST_VERSIONS = 8;
/** What may stand between an offset and the dictionary there: a few words, and comments. */
const MOST_BEFORE = 1_024;
/** An offset in a file: at most ten digits (7.5.4). */
const OFFSET = /^\d{1,10}$/;
const NAMES = new Set(['Type', 'Encrypt', 'XRefStm', 'Prev']);

/**
 * Whether a PDF can be opened by whoever has to judge it, as far as that shows from its ends (ISO 32000-1, 7.5): it closes
 * with `startxref`, an offset and `%%EOF`, there is a trailer or cross-reference stream at that offset, and none of these,
 * of earlier versions too, says `/Encrypt`. A search for that word in the whole file would be wrong both ways.
 */
export async function inspectPdf(file: Spool): Promise<PdfVerdict> {
  const last = lastOffset(latin1(await file.read(Math.max(0, file.size - TAIL), file.size)));
  if (last === null) return 'damaged';

  const seen = new Set<number>();
  const waiting = [last];
  for (let at = waiting.shift(); at !== undefined && seen.size <= MOST_VERSIONS; at = waiting.shift()) {
    if (seen.has(at)) continue;
    const isFirst = seen.size === 0;
    seen.add(at);
    // A small file is in memory, and reading it waits for nothing: others get their turn between two versions.
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve));
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

/** The offset that the last words of a file give, `startxref <offset> %%EOF`, or null when these are not its last (7.5.5). */
function lastOffset(text: string): number | null {
  const atEnd = before(text, text.length);
  if (!text.endsWith('%%EOF', atEnd)) return null;
  const afterOffset = before(text, atEnd - '%%EOF'.length);
  const beforeOffset = before(text, afterOffset, (char) => '0123456789'.includes(char));
  const offset = text.slice(beforeOffset, afterOffset);
  const isApart = afterOffset < atEnd - '%%EOF'.length && before(text, beforeOffset) < beforeOffset;
  if (!isApart || !OFFSET.test(offset) || !text.endsWith('startxref', before(text, beforeOffset))) return null;
  return Number(offset);
}

/** Where the run of white space, or of other characters, that ends before `end` begins. */
function before(text: string, end: number, belongs = (char: string) => '\0\t\n\f\r '.includes(char)): number {
  let at = end;
  while (at > 0 && belongs(text.charAt(at - 1))) at -= 1;
  return at;
}

/** The entries of the trailer or cross-reference stream that belongs to an offset; null when there is none. */
async function trailerAt(file: Spool, at: number): Promise<Map<string, string> | null> {
  const start = latin1(await file.read(at, at + MOST_BEFORE));
  const first = wordAt(start, 0);
  if (first.word === 'xref') {
    const trailer = await find(file, 'trailer', at);
    return trailer === null ? null : dictionaryAt(file, trailer);
  }
  const entries = OFFSET.test(first.word) ? await dictionaryAt(file, at) : null;
  return entries?.get('Type') === '/XRef' ? entries : null;
}

/** The entries of the dictionary that an object or trailer at an offset has; null when it has none. */
async function dictionaryAt(file: Spool, at: number): Promise<Map<string, string> | null> {
  const text = latin1(await file.read(at, at + DICTIONARY));
  for (let from = 0; from < MOST_BEFORE; ) {
    const { word, end } = wordAt(text, from);
    if (word === '') {
      const start = skipSpace(text, from);
      return text.startsWith('<<', start) ? readEntries(text, start + 2, NAMES) : null;
    }
    if (word !== 'obj' && word !== 'trailer' && !OFFSET.test(word)) return null;
    from = end;
  }
  return null;
}

/** Where a word first stands at or after an offset, or null. */
async function find(file: Spool, word: string, from: number): Promise<number | null> {
  for (let at = from; at < Math.min(file.size, from + MOST_TABLE); at += STRETCH) {
    const text = latin1(await file.read(at, at + STRETCH + word.length));
    const found = text.indexOf(word);
    if (found !== -1) return at + found;
  }
  return null;
}
