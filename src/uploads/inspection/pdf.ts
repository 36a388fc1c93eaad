import { Buffer } from 'node:buffer';
import { latin1, type Spool } from '../spool.ts';
import { type Encryption, encryptionOf, type Resolve } from './pdf-encryption.ts';
import {
  bytesOf,
  type Dictionary,
  isDictionary,
  isDigit,
  isReference,
  isSpace,
  ObjectReader,
  type PdfValue,
  wholeNumber,
} from './pdf-objects.ts';

/**
 * `sound`: a reader shows the first page without a question. `damaged`: it cannot be opened. Else how it is encrypted.
 */
export type PdfVerdict = 'sound' | 'damaged' | Exclude<Encryption, 'open'>;

// Objects of page trees that are read to find a page.
const MAX_NODES = 256;
// Dictionaries of encryption that are tried; each takes a millisecond.
const MAX_ENCRYPTIONS = 4;

/**
 * Like PDF readers, it follows the offsets in the file to the first page (ISO 32000-2, 7.5). When that fails it
 * searches the whole file for objects and trailers.
 */
export async function inspectPdf(file: Spool): Promise<PdfVerdict> {
  const source = new Source(file);
  const verdict = await verdictOn(await followOffsets(source));
  return verdict === 'damaged' || verdict === 'unknown' ? verdictOn(await searchObjects(source)) : verdict;
}

async function verdictOn(structure: Structure | null): Promise<PdfVerdict> {
  if (structure === null) return 'damaged';
  const encryption = await encryptionIn(structure);
  if (encryption !== 'open') return encryption;
  return (await hasPage(structure)) ? 'sound' : 'damaged';
}

// Returns the encryption of the first trailer with `/Encrypt` that does not open without a password.
async function encryptionIn({ trailers, load }: Structure): Promise<Encryption> {
  const resolve: Resolve = async (value) => {
    const target = isReference(value) ? await load(value.object) : value;
    return target === SEALED ? undefined : target;
  };
  const [id] = trailers.map((trailer) => trailer.get('ID')).filter((one) => Array.isArray(one));
  const entries = trailers.map((trailer) => trailer.get('Encrypt') ?? null).filter((entry) => entry !== null);
  const different = new Map(entries.map((entry) => [isReference(entry) ? entry.object : entry, entry]));
  if (different.size > MAX_ENCRYPTIONS) return 'unknown';
  for (const entry of different.values()) {
    const encrypt = await resolve(entry);
    const encryption = isDictionary(encrypt) ? await encryptionOf(encrypt, bytesOf(id?.[0]), resolve) : 'unknown';
    if (encryption !== 'open') return encryption;
  }
  return 'open';
}

// Searches a page through the catalog and the page tree (7.7.2 and 7.7.3).
async function hasPage({ trailers, load }: Structure): Promise<boolean> {
  const resolve = async (value: PdfValue | undefined) => (isReference(value) ? load(value.object) : value);
  let nodes = 0;
  for (const trailer of trailers) {
    const root = await resolve(trailer.get('Root'));
    if (root === SEALED) return true;
    const top = isDictionary(root) ? root.get('Pages') : undefined;
    for (const waiting = [top]; waiting.length > 0; nodes += 1) {
      if (nodes === MAX_NODES) return false;
      const entry = waiting.shift();
      const node = await resolve(entry);
      if (node === SEALED) return true;
      if (!isDictionary(node)) continue;
      const kids = await resolve(node.get('Kids'));
      if (kids === SEALED) return true;
      // PDF readers show as many pages as `Count` says, also none. After thousands of `Kids` it is not read.
      const isCounted = node.has('Count') || !(Array.isArray(kids) && kids.length > MAX_NODES);
      const count = entry === top && kids !== undefined && isCounted ? await resolve(node.get('Count')) : 1;
      if (count !== SEALED && !(typeof count === 'number' && count > 0)) break;
      if (Array.isArray(kids)) waiting.unshift(...kids.slice(0, MAX_NODES));
      else if (entry !== top || node.get('Type') === 'Page') return true;
    }
  }
  return false;
}

// The newest trailer first (ISO 32000-2, 7.5).
interface Structure {
  readonly trailers: readonly Dictionary[];
  // Undefined for an object that is not there or has a stream, and `SEALED` for one in an object stream that is not
  // unpacked here, because it or its cross-reference stream is encrypted or has a rare filter.
  load(number: number): Promise<PdfValue | typeof SEALED | undefined>;
}

const SEALED = Symbol('sealed');

// Limits on the work for one file, in bytes unless the name says otherwise.
// Each change of a PDF can add a trailer.
const MAX_VERSIONS = 100;
// PDF readers search `startxref` in the last bytes of a file.
const END = 1_024;
const MAX_TABLE_PARTS = 2_000;
const TABLE_ENTRY = 20;
// Bytes that a search reads at a time.
const CHUNK = 256 * 1024;
// Bytes that other reads read at least: most of them begin shortly after the one before.
const BLOCK = 64 * 1024;
// An object that does not end within one of these is read in the next.
const WINDOWS = [4 * 1024, 256 * 1024];
const MAX_OBJECTS_READ = 384 * 1024;
const LEAST_OBJECT_READ = 1_024;
const MAX_PACKED = 1024 * 1024;
// Bytes of packed data that are read at a time.
const PART = 16 * 1024;
const ZLIB_HEAD = 2;
// Maximum of all unpacked streams of one file together.
const MAX_UNPACKED = 3 * 1024 * 1024;
const MAX_INDEX = 256 * 1024;
const MAX_WORDS = 250_000;
// Maximum number of trailers, and of cross-reference streams. The last ones are kept.
const MAX_FOUND = 100;
// Bytes for a few words and numbers, such as `0000000005 00000 obj`.
const SHORT = 32;

// Filters of which PDF readers read objects (7.4). Only `FlateDecode` is unpacked here.
const READ_FILTERS = /^(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|FlateDecode|Fl|RunLengthDecode|RL)$/;

// Where an object is: at an offset in the file, or in the object stream with a number. `SEALED` is anywhere.
type Place = { readonly at: number } | { readonly within: number } | typeof SEALED;

interface Section {
  readonly trailer: Dictionary;
  find(number: number): Promise<Place | null>;
}

// `streamAt` is the offset of its stream.
interface Item {
  readonly number: number;
  readonly value: PdfValue;
  readonly isValid: boolean;
  readonly streamAt: number | null;
}

// Follows the offsets from `startxref` at the end (7.5.5). Null when these lead to no trailer; an unreadable earlier
// trailer is left out.
async function followOffsets(source: Source): Promise<Structure | null> {
  const end = await source.endOfContent();
  const text = latin1(await source.read(Math.max(0, end - END), end));
  const start = text.lastIndexOf('startxref');
  const last = start === -1 ? null : new ObjectReader(text, start + 'startxref'.length).integer();
  // Something else than `%%EOF` at the end: what follows it, or what was cut off, is found by a search.
  if (last === null || !text.endsWith('%%EOF')) return null;

  const sections: Section[] = [];
  const seen = new Set<number>();
  const waiting = [last];
  for (let at = waiting.shift(); at !== undefined && seen.size <= MAX_VERSIONS; at = waiting.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    // Reading a small file from memory never waits. This timer lets other requests run between two versions.
    await new Promise((resolve) => setTimeout(resolve));
    const section = (await tableAt(source, at)) ?? (await streamSectionAt(source, at));
    // Only the newest version must be readable: PDF readers start from it.
    if (section === null && sections.length === 0) return null;
    if (section === null) continue;
    sections.push(section);
    for (const name of ['XRefStm', 'Prev']) {
      const offset = wholeNumber(section.trailer.get(name));
      if (offset !== null && offset > 0) waiting.push(offset);
    }
  }
  return structureOf(source, sections, async (number) => {
    for (const section of sections) {
      const place = await section.find(number);
      // A search finds the objects that have an offset.
      if (place !== null && place !== SEALED) return place;
    }
    return null;
  });
}

// Finds what PDF readers find when they repair a file: all trailers, and of each object the last one with its number.
// Null without a trailer, or when something else than a PDF follows `%%EOF`.
async function searchObjects(source: Source): Promise<Structure | null> {
  const size = await source.endOfContent();
  const found = new Search(size);
  for (let at = 0; at < size; at += CHUNK) {
    const known = Math.min(at, SHORT);
    found.add(await source.read(at - known, Math.min(size, at + CHUNK)), at - known, known);
  }
  if (!(await endsAsPdf(source, found))) return null;
  const sections: (Section & { readonly at: number })[] = [];
  const add = (at: number, section: Section | null) => section !== null && sections.push({ ...section, at });
  for (const at of found.trailers) add(at, await trailerAt(source, at));
  for (const at of found.streams()) add(at, await streamSectionAt(source, at));
  sections.sort((one, other) => other.at - one.at);
  return structureOf(source, sections, async (number) => {
    const at = found.offsetOf(number);
    if (at !== null) return { at };
    for (const section of sections) {
      const place = await section.find(number);
      if (place === SEALED || (place !== null && 'within' in place)) return place;
    }
    return null;
  });
}

function structureOf(
  source: Source,
  sections: readonly Section[],
  find: (number: number) => Promise<Place | null>,
): Structure {
  const trailers = sections.map(({ trailer }) => trailer);
  const isEncrypted = trailers.some((trailer) => (trailer.get('Encrypt') ?? null) !== null);

  async function itemAt(place: Place | null, number: number): Promise<Item | null> {
    const item = place !== null && place !== SEALED && 'at' in place ? await source.item(place.at) : null;
    return item?.number === number ? item : null;
  }
  return {
    trailers,
    async load(number) {
      const place = await find(number);
      if (place === SEALED) return SEALED;
      if (place === null || 'at' in place) {
        const item = await itemAt(place, number);
        return item?.streamAt === null ? item.value : undefined;
      }
      const stream = await itemAt(await find(place.within), place.within);
      if (stream === null) return undefined;
      return isEncrypted ? SEALED : source.member(stream, number);
    },
  };
}

// Returns whether only white space, comments, or the objects of a newer version that was cut off follow the last
// `%%EOF`. A file without `%%EOF` was cut off, and so was one with its last `%%EOF` in a stream before its trailer.
async function endsAsPdf(source: Source, { end, trailers }: Search): Promise<boolean> {
  if (end === null || end >= (await source.endOfContent())) return true;
  const reader = await source.reader(end, END);
  reader.skipSpace();
  if (reader.word('endstream')) return end < (trailers.at(-1) ?? 0);
  return reader.isAtEnd || reader.objectStart() !== null || reader.word('xref') || reader.word('startxref');
}

interface TablePart {
  // Number of the first object; `at` is the offset of its entry.
  readonly first: number;
  readonly count: number;
  readonly at: number;
}

// Reads a cross-reference table (7.5.4).
async function tableAt(source: Source, start: number): Promise<Section | null> {
  const parts: TablePart[] = [];
  let at = start;
  let reader = await source.reader(at, SHORT);
  if (!reader.word('xref')) return null;
  while (!reader.word('trailer')) {
    const [first, count] = [reader.integer(), reader.integer()];
    if (first === null || count === null || parts.length === MAX_TABLE_PARTS) return null;
    reader.skipSpace();
    parts.push({ first, count, at: at + reader.at });
    at += reader.at + TABLE_ENTRY * count;
    reader = await source.reader(at, SHORT);
  }
  const section = await trailerAt(source, at + reader.at);
  return section && { ...section, find: (number) => placeInTable(source, parts, number) };
}

async function placeInTable(source: Source, parts: readonly TablePart[], number: number): Promise<Place | null> {
  const part = parts.find(({ first, count }) => number >= first && number < first + count);
  if (part === undefined) return null;
  const at = part.at + TABLE_ENTRY * (number - part.first);
  const entry = await source.reader(at, TABLE_ENTRY);
  const offset = entry.integer();
  return offset !== null && entry.integer() !== null && entry.word('n') ? { at: offset } : null;
}

// Reads a trailer. No object is found by a trailer alone.
async function trailerAt(source: Source, at: number): Promise<Section | null> {
  const [value, reader] = await source.parse(at, (reader) => reader.value());
  const end = at + reader.at;
  if (!isDictionary(value)) return null;
  // PDF readers skip what is not valid, each in its own way, and some then find a name after it.
  const [rest = ''] = reader.isValid ? [] : latin1(await source.read(end, end + END)).split('startxref');
  return /Encrypt|#[0-9A-F]{2}/i.test(rest) ? null : { trailer: value, find: async () => null };
}

// Reads a cross-reference stream (7.5.8).
async function streamSectionAt(source: Source, at: number): Promise<Section | null> {
  const item = await source.item(at);
  if (item === null || !item.isValid || !isDictionary(item.value) || item.value.get('Type') !== 'XRef') return null;
  const trailer = item.value;
  const widths = numbersOf(trailer.get('W'));
  const index = numbersOf(trailer.get('Index') ?? [0, wholeNumber(trailer.get('Size')) ?? 0]);
  return {
    trailer,
    async find(number) {
      const rows = await source.unpack(item);
      return rows === null ? SEALED : placeInRows(rows, widths, index, number);
    },
  };
}

const numbersOf = (value: PdfValue | undefined): readonly number[] =>
  Array.isArray(value) ? value.map((one) => wholeNumber(one) ?? 0) : [];

// `index` has the first object number and the number of objects of each part of the rows.
function placeInRows(
  rows: Uint8Array,
  [typeWidth = 0, placeWidth = 0, restWidth = 0]: readonly number[],
  index: readonly number[],
  number: number,
): Place | null {
  const width = typeWidth + placeWidth + restWidth;
  let row = 0;
  for (let n = 0; n + 1 < index.length; n += 2) {
    const [first, count] = [index[n] ?? 0, index[n + 1] ?? 0];
    if (number >= first && number < first + count) {
      const at = (row + number - first) * width;
      if (width > SHORT || at + width > rows.length) return null;
      const type = typeWidth === 0 ? 1 : bigEndian(rows, at, typeWidth);
      const place = bigEndian(rows, at + typeWidth, placeWidth);
      return type === 1 ? { at: place } : type === 2 ? { within: place } : null;
    }
    row += count;
  }
  return null;
}

const bigEndian = (bytes: Uint8Array, at: number, width: number): number =>
  bytes.subarray(at, at + width).reduce((value, byte) => value * 256 + byte, 0);

// Reads the file. Its limits hold for the whole file.
class Source {
  readonly #file: Spool;
  #block: { readonly from: number; readonly bytes: Uint8Array } = { from: 0, bytes: new Uint8Array() };
  #bytesRead = 0;
  #bytesUnpacked = 0;
  #end: number | undefined;
  readonly #unpacked = new Map<number, Uint8Array | null>();
  readonly #indexes = new Map<Uint8Array, ReadonlyMap<number, number>>();

  constructor(file: Spool) {
    this.#file = file;
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    const end = Math.min(Math.max(from, to), this.#file.size);
    if (from >= end) return new Uint8Array();
    const { from: start, bytes } = this.#block;
    if (from >= start && end <= start + bytes.length) return bytes.subarray(from - start, end - start);
    const more = Math.max(end, Math.min(from + BLOCK, this.#file.size));
    this.#block = { from, bytes: await this.#file.read(from, more) };
    return this.#block.bytes.subarray(0, end - from);
  }

  async reader(at: number, length: number): Promise<ObjectReader> {
    return new ObjectReader(latin1(await this.read(at, at + length)));
  }

  async endOfContent(): Promise<number> {
    let end = this.#end ?? this.#file.size;
    while (end > 0 && this.#end === undefined) {
      const bytes = await this.#file.read(Math.max(0, end - BLOCK), end);
      const length = lengthOfContent(bytes);
      end -= bytes.length - length;
      if (length > 0) break;
    }
    this.#end = end;
    return end;
  }

  async item(start: number): Promise<Item | null> {
    const [item, { isValid, at }] = await this.parse(start, (reader) => {
      const number = reader.objectStart();
      return number === null ? null : { number, value: reader.value() };
    });
    if (item === null) return null;
    const end = start + at;
    const after = latin1(await this.read(end, end + SHORT));
    const stream = new ObjectReader(after);
    if (!isValid || !stream.word('stream')) return { ...item, isValid, streamAt: null };
    // The data begins after CR LF, LF or CR.
    if (after[stream.at] === '\r') stream.at += 1;
    if (after[stream.at] === '\n') stream.at += 1;
    return { ...item, isValid, streamAt: end + stream.at };
  }

  // `parse` gets the text at an offset of the file, or of `content`.
  async parse<Result>(
    at: number,
    parse: (reader: ObjectReader) => Result,
    content?: Uint8Array,
  ): Promise<[Result, ObjectReader]> {
    let reader = new ObjectReader('');
    let result = parse(reader);
    for (const size of WINDOWS) {
      if (this.#bytesRead > MAX_OBJECTS_READ) break;
      reader = new ObjectReader(latin1(content?.subarray(at, at + size) ?? (await this.read(at, at + size))));
      result = parse(reader);
      // A read costs time, however few bytes it needs.
      this.#bytesRead += Math.max(reader.at, LEAST_OBJECT_READ);
      if (!reader.isAtEnd) break;
    }
    return [result, reader];
  }

  // Reads an object of an object stream (7.5.7).
  async member(stream: Item, number: number): Promise<PdfValue | typeof SEALED | undefined> {
    const content = await this.unpack(stream);
    if (content === null) return SEALED;
    const first = isDictionary(stream.value) ? (wholeNumber(stream.value.get('First')) ?? 0) : 0;
    const index = this.#indexes.get(content) ?? indexOf(content.subarray(0, Math.min(first, MAX_INDEX)));
    this.#indexes.set(content, index);
    const offset = index.get(number);
    if (offset === undefined) return undefined;
    const [value] = await this.parse(first + offset, (reader) => reader.value(), content);
    return value;
  }

  // Null for other filters than one `FlateDecode`, empty for a filter that PDF readers do not read here. Ends early for a
  // stream that is damaged or too large.
  async unpack({ value, streamAt }: Item): Promise<Uint8Array | null> {
    if (streamAt === null || !isDictionary(value)) return new Uint8Array();
    if (!this.#unpacked.has(streamAt)) this.#unpacked.set(streamAt, await this.#unpackAt(streamAt, value));
    return this.#unpacked.get(streamAt) ?? null;
  }

  async #unpackAt(at: number, dictionary: Dictionary): Promise<Uint8Array | null> {
    const filters = [dictionary.get('Filter') ?? []].flat();
    const isFlate = filters.length === 1 && (filters[0] === 'FlateDecode' || filters[0] === 'Fl');
    if (filters.some((filter) => !READ_FILTERS.test(`${filter}`))) return new Uint8Array();
    // The DOM of a test runner can have no decompression.
    if (filters.length > 0 && !(isFlate && globalThis.DecompressionStream !== undefined)) return null;
    const left = MAX_UNPACKED - this.#bytesUnpacked;
    // The written length is not used: it is often wrong, and the packed data says where it ends.
    const end = Math.min(at + Math.min(MAX_PACKED, left), this.#file.size);
    const content = isFlate ? await inflate(this.#file, at, end, left) : await this.read(at, end);
    this.#bytesUnpacked += content.length;
    const parameters = [dictionary.get('DecodeParms') ?? []].flat()[0];
    return isDictionary(parameters) ? withoutPredictor(content, parameters) : content;
  }
}

// A function of its own, because V8 runs the same loop five times as slowly in an async method, and `findLastIndex` as
// well.
function lengthOfContent(bytes: Uint8Array): number {
  let length = bytes.length;
  while (length > 0 && isSpace(bytes[length - 1])) length -= 1;
  return length;
}

// Where the objects of an object stream begin, by their numbers (7.5.7).
function indexOf(bytes: Uint8Array): ReadonlyMap<number, number> {
  const reader = new ObjectReader(latin1(bytes));
  const offsets = new Map<number, number>();
  for (;;) {
    const [number, offset] = [reader.integer(), reader.integer()];
    if (number === null || offset === null) return offsets;
    if (!offsets.has(number)) offsets.set(number, offset);
  }
}

// At most `max` bytes of what data in the format of zlib (RFC 1950) becomes, without its two bytes before and without its
// checksum: PDF readers open a stream of which that is wrong. Parts are read as they are needed.
async function inflate(file: Spool, from: number, end: number, max: number): Promise<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  async function write(): Promise<void> {
    for (let at = from + ZLIB_HEAD; at < end; at += PART)
      await writer.write(new Uint8Array(await file.read(at, Math.min(at + PART, end))));
    await writer.close();
  }
  // The reader gets the same errors.
  write().catch(() => undefined);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done && length < max; part = await reader.read()) {
      parts.push(part.value.subarray(0, max - length));
      length += part.value.length;
    }
  } catch {
    // Damaged data, or other bytes after it: what came before is used.
  }
  reader.cancel().catch(() => undefined);
  const content = new Uint8Array(Math.min(length, max));
  for (let at = 0, part = parts.shift(); part !== undefined; at += part.length, part = parts.shift())
    content.set(part, at);
  return content;
}

// Undoes the predictor of TIFF (2), or those of PNG (10 and above; 7.4.4.4).
function withoutPredictor(data: Uint8Array, parameters: Dictionary): Uint8Array {
  const of = (name: string, otherwise: number): number => wholeNumber(parameters.get(name)) ?? otherwise;
  const predictor = of('Predictor', 1);
  if (predictor < 2) return data;
  const bits = of('Colors', 1) * of('BitsPerComponent', 8);
  const pixel = Math.max(1, Math.ceil(bits / 8));
  const row = Math.ceil((bits * of('Columns', 1)) / 8);
  // Each row of PNG begins with the number of its filter. What TIFF does is the first of those filters.
  const head = predictor === 2 ? 0 : 1;
  const out = new Uint8Array(Math.floor(data.length / (row + head)) * row);
  for (let start = 0, from = 0; start < out.length; start += row, from += row + head) {
    const filter = head === 0 ? 1 : (data[from] ?? 0);
    for (let x = 0; x < row; x += 1) {
      const at = start + x;
      const left = x < pixel ? 0 : (out[at - pixel] ?? 0);
      const above = out[at - row] ?? 0;
      const corner = x < pixel ? 0 : (out[at - row - pixel] ?? 0);
      out[at] = (data[from + head + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return out;
}

// Predicts a byte as PNG does (PNG, 9.2).
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

// Searches a file in one pass, with the native search of `Buffer`: a loop over all bytes in JavaScript takes several
// times as long.
class Search {
  // Offset after the last `%%EOF`.
  end: number | null = null;
  // Offsets after the last words `trailer`.
  trailers: readonly number[] = [];
  #types: readonly number[] = [];
  readonly #numbers: Int32Array;
  readonly #offsets: Int32Array;
  #objects = 0;
  #words = 0;

  constructor(size: number) {
    // The shortest object takes more than ten bytes.
    this.#numbers = new Int32Array(Math.min(MAX_WORDS, Math.ceil(size / 10)));
    this.#offsets = new Int32Array(this.#numbers.length);
  }

  // The first `known` bytes were searched before: words can continue from them into the others.
  add(bytes: Uint8Array, offset: number, known: number): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const last = (word: string, before: readonly number[]): readonly number[] =>
      [...before, ...lastOf(buffer, word, known).map((at) => offset + at)].slice(-MAX_FOUND);
    this.trailers = last('trailer', this.trailers);
    this.#types = last('/XRef', this.#types);
    this.end = last('%%EOF', []).at(-1) ?? this.end;
    for (let at = buffer.indexOf('obj', 0, 'latin1'); at !== -1; at = buffer.indexOf('obj', at + 3, 'latin1')) {
      this.#words += 1;
      if (this.#words > MAX_WORDS) return;
      if (at + 3 > known && isSpace(bytes[at - 1])) this.#addObject(bytes, at, offset);
    }
  }

  #addObject(bytes: Uint8Array, word: number, offset: number): void {
    const from = startOfObject(bytes, word);
    if (from === null) return;
    let number = 0;
    for (let at = from; isDigit(bytes[at]); at += 1) number = number * 10 + (bytes[at] ?? 0) - 0x30;
    this.#numbers[this.#objects] = number;
    this.#offsets[this.#objects] = offset + from;
    this.#objects += 1;
  }

  offsetOf(number: number): number | null {
    const last = this.#numbers.subarray(0, this.#objects).lastIndexOf(number);
    return last === -1 ? null : (this.#offsets[last] ?? null);
  }

  streams(): readonly number[] {
    const offsets = this.#offsets.subarray(0, this.#objects);
    const found = this.#types.map((type) => offsets[offsets.findLastIndex((offset) => offset < type)] ?? 0);
    return [...new Set(found)];
  }
}

function lastOf(buffer: Buffer, word: string, known: number): readonly number[] {
  const ends: number[] = [];
  let at = buffer.lastIndexOf(word, undefined, 'latin1');
  while (at !== -1 && at + word.length > known && ends.length < MAX_FOUND) {
    ends.unshift(at + word.length);
    at = at === 0 ? -1 : buffer.lastIndexOf(word, at - 1, 'latin1');
  }
  return ends;
}

// Returns where the two numbers before the word `obj` begin.
function startOfObject(bytes: Uint8Array, word: number): number | null {
  const least = Math.max(0, word - SHORT);
  let at = word;
  for (let part = 0; part < 2; part += 1) {
    const end = at;
    while (at > least && isSpace(bytes[at - 1])) at -= 1;
    const digits = at;
    while (at > least && isDigit(bytes[at - 1])) at -= 1;
    if (digits === end || at === digits) return null;
  }
  return at;
}
