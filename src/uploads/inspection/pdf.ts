import type { Spool } from '../transport/spool.ts';
import { latin1 } from './latin1.ts';
import { type Entries, readEntries, skipSpace, wordAt } from './pdf-dictionary.ts';

/**
 * The result of the inspection of a PDF. `sound`: it can be opened. `damaged`: its end or its newest trailer cannot be
 * read. `encrypted`: PDF readers ask for a password or forbid some use.
 */
export type PdfVerdict = 'sound' | 'damaged' | 'encrypted';

/** The number of bytes at the end of a file in which `startxref` is searched. */
const TAIL = 64 * 1024;
/** The maximum size of a dictionary in bytes. */
const DICTIONARY = 128 * 1024;
/** The number of bytes that are read at a time in the search for a trailer. */
const CHUNK = 128 * 1024;
/** The maximum size in bytes of the cross-reference table before a trailer; each object takes twenty bytes. */
const MAX_TABLE = 12 * 1024 * 1024;
/**
 * The maximum number of trailers that are read after the newest one. A PDF that was changed contains the trailers of
 * its earlier versions.
 */
const MAX_VERSIONS = 8;
/** The maximum number of characters before a dictionary that are skipped: a few words and comments. */
const MAX_BEFORE_DICTIONARY = 1_024;
/** Matches a comment (ISO 32000-1, 7.2.4) or the word `trailer`. */
const COMMENT_OR_TRAILER = /%[^\r\n]*|trailer/g;
/** An offset in a file: one to ten digits (ISO 32000-1, 7.5.4). */
const OFFSET = /^\d{1,10}$/;

/**
 * Returns the verdict on a PDF from its structure (ISO 32000-1, 7.5). A sound PDF ends with `startxref`, an offset and
 * `%%EOF`, and has a trailer or cross-reference stream at that offset. It is encrypted when the newest trailer, or an
 * earlier one that is read, has an entry `/Encrypt`.
 */
export async function inspectPdf(file: Spool): Promise<PdfVerdict> {
  const last = lastOffset(latin1(await file.read(Math.max(0, file.size - TAIL), file.size)));
  if (last === null) return 'damaged';

  const seen = new Set<number>();
  const waiting = [last];
  for (let at = waiting.shift(); at !== undefined && seen.size <= MAX_VERSIONS; at = waiting.shift()) {
    if (seen.has(at)) continue;
    const isFirst = seen.size === 0;
    seen.add(at);
    // Reading a small file from memory never waits. This timer lets other requests run between two versions.
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve));
    const entries = await trailerAt(file, at);
    // Only the newest version must be readable: PDF readers start from it.
    if (entries === null && isFirst) return 'damaged';
    if ((entries?.get('Encrypt') ?? 'null') !== 'null') return 'encrypted';
    for (const name of ['XRefStm', 'Prev'] as const) {
      const offset = Number(entries?.get(name) ?? Number.NaN);
      if (Number.isSafeInteger(offset) && offset > 0) waiting.push(offset);
    }
  }
  return 'sound';
}

/**
 * Returns the offset in the text `startxref <offset> %%EOF`; null when the text does not end in this way (ISO 32000-1,
 * 7.5.5).
 */
function lastOffset(text: string): number | null {
  const atEnd = startOfRun(text, text.length);
  if (!text.endsWith('%%EOF', atEnd)) return null;
  const afterOffset = startOfRun(text, atEnd - '%%EOF'.length);
  const beforeOffset = startOfRun(text, afterOffset, (char) => '0123456789'.includes(char));
  const offset = text.slice(beforeOffset, afterOffset);
  const isApart = afterOffset < atEnd - '%%EOF'.length && startOfRun(text, beforeOffset) < beforeOffset;
  if (!isApart || !OFFSET.test(offset) || !text.endsWith('startxref', startOfRun(text, beforeOffset))) return null;
  return Number(offset);
}

/**
 * Returns the offset at which the run of matching characters directly before `end` begins; `end` itself when the
 * character before it does not match. `belongs` decides which characters match, by default white space.
 */
function startOfRun(text: string, end: number, belongs = (char: string) => '\0\t\n\f\r '.includes(char)): number {
  let at = end;
  while (at > 0 && belongs(text.charAt(at - 1))) at -= 1;
  return at;
}

/**
 * Returns the entries of the trailer or cross-reference stream at an offset; null when there is no trailer and no
 * cross-reference stream at that offset.
 */
async function trailerAt(file: Spool, at: number): Promise<Entries | null> {
  const start = latin1(await file.read(at, at + MAX_BEFORE_DICTIONARY));
  const first = wordAt(start, 0);
  if (first.word === 'xref') {
    const trailer = await findTrailer(file, at);
    return trailer === null ? null : dictionaryAt(file, trailer);
  }
  const entries = OFFSET.test(first.word) ? await dictionaryAt(file, at) : null;
  return entries?.get('Type') === '/XRef' ? entries : null;
}

/** Returns the entries of the dictionary of the object or trailer at an offset; null when there is no dictionary. */
async function dictionaryAt(file: Spool, at: number): Promise<Entries | null> {
  const text = latin1(await file.read(at, at + DICTIONARY));
  for (let from = 0; from < MAX_BEFORE_DICTIONARY; ) {
    const { word, end } = wordAt(text, from);
    if (word === '') {
      const start = skipSpace(text, from);
      return text.startsWith('<<', start) ? readEntries(text, start + 2) : null;
    }
    if (word !== 'obj' && word !== 'trailer' && !OFFSET.test(word)) return null;
    from = end;
  }
  return null;
}

/**
 * Returns the offset of the word `trailer` at or after `from`, outside comments. Null when it is not in the next 12 MiB,
 * or when a line before it is longer than `CHUNK`.
 */
async function findTrailer(file: Spool, from: number): Promise<number | null> {
  for (let at = from; at < Math.min(file.size, from + MAX_TABLE); ) {
    const text = latin1(await file.read(at, at + CHUNK));
    const isLast = at + text.length >= file.size;
    // Whole lines, so that no word and no comment continues in the next chunk.
    const end = isLast ? text.length : Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    for (const { 0: found, index } of text.slice(0, end).matchAll(COMMENT_OR_TRAILER))
      if (found === 'trailer') return at + index;
    if (end === 0) return null;
    at += end;
  }
  return null;
}
