/**
 * A value in a PDF (ISO 32000-2, 7.3). A name is a text without its slash; what a PDF calls a string is a `PdfString`.
 */
export type PdfValue = null | boolean | number | string | PdfString | Reference | readonly PdfValue[] | Dictionary;

/** The name-value pairs between `<<` and `>>` (7.3.7). */
export type Dictionary = ReadonlyMap<string, PdfValue>;

/** What is between `(` and `)`, or between `<` and `>`, as it is in the file (7.3.4). */
export interface PdfString {
  readonly raw: string;
  readonly isHexadecimal: boolean;
}

/** A reference to the object with a number (`5 0 R`; 7.3.10). */
export interface Reference {
  readonly object: number;
}

export const isDictionary = (value: PdfValue | undefined): value is Dictionary => value instanceof Map;
export const isReference = (value: PdfValue | undefined): value is Reference =>
  typeof value === 'object' && value !== null && 'object' in value;

export const wholeNumber = (value: PdfValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

// 7.2.3. A character that is not white space or a delimiter is regular.
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

/** Space, tab, line end, form feed and NUL. */
export const isSpace = (byte: number | undefined): boolean => byte !== undefined && KINDS[byte] === SPACE;
export const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

// Lists and dictionaries within each other; the limit of poppler.
const MAX_DEPTH = 500;
const MAX_NAME = 400;

const NUMBER = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})$/;
const CONSTANTS: ReadonlyMap<string, PdfValue> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Reads PDF values from a text with one character for each byte. It stops at the first thing that is not valid: PDF
 * readers differ in what they skip, and so in which names they find.
 */
export class ObjectReader {
  /** False once something was not valid, or the text ended before a value did. */
  isValid = true;
  at: number;
  readonly #text: string;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  skipSpace(): void {
    for (;;) {
      while (this.#kind(this.at) === SPACE) this.at += 1;
      if (this.#text[this.at] !== '%') return;
      while (!this.isAtEnd && this.#text[this.at] !== '\n' && this.#text[this.at] !== '\r') this.at += 1;
    }
  }

  /** Reads a word such as `xref` and the space before it, or nothing. */
  word(word: string): boolean {
    const start = this.at;
    this.skipSpace();
    const isThere = this.#text.startsWith(word, this.at);
    this.at = isThere ? this.at + word.length : start;
    return isThere;
  }

  /** Reads a number of only digits and the space before it, or nothing. */
  integer(): number | null {
    const start = this.at;
    this.skipSpace();
    const first = this.at;
    let value = 0;
    for (; isDigit(this.#text.charCodeAt(this.at)); this.at += 1)
      value = value * 10 + this.#text.charCodeAt(this.at) - 0x30;
    if (this.at > first && this.#kind(this.at) !== REGULAR && Number.isSafeInteger(value)) return value;
    this.at = start;
    return null;
  }

  /** Reads the start of an object (`5 0 obj`), and returns its number. */
  objectStart(): number | null {
    const number = this.integer();
    return number !== null && this.integer() !== null && this.word('obj') ? number : null;
  }

  /**
   * When something in the value is not valid, `isValid` becomes false, and a list or dictionary has only what comes
   * before that.
   */
  value(depth = 0): PdfValue {
    this.skipSpace();
    const char = this.#text[this.at];
    if (char === '/') return this.#name();
    if (char === '(') return this.#literal();
    if (char === '[' && depth < MAX_DEPTH) return this.#list(depth);
    if (char === '<' && this.#text[this.at + 1] === '<' && depth < MAX_DEPTH) return this.#dictionary(depth);
    if (char === '<') return this.#hexadecimal();
    return this.#kind(this.at) === REGULAR ? this.#scalar() : this.#invalid();
  }

  #kind(at: number): number | undefined {
    return KINDS[this.#text.charCodeAt(at)];
  }

  #invalid(): null {
    this.isValid = false;
    return null;
  }

  #dictionary(depth: number): Dictionary {
    const entries = new Map<string, PdfValue>();
    this.at += 2;
    while (!this.word('>>') && this.isValid) {
      if (this.#text[this.at] !== '/') this.skipSpace();
      const name = this.#text[this.at] === '/' ? this.#name() : this.#invalid();
      if (name === null) break;
      const value = this.value(depth + 1);
      // Of two entries with one name, PDF readers use the last one. An entry that is `null` is none.
      if (value !== null || !entries.has(name)) entries.set(name, value);
    }
    return entries;
  }

  #list(depth: number): readonly PdfValue[] {
    const values: PdfValue[] = [];
    this.at += 1;
    while (!this.word(']') && this.isValid) {
      const value = this.value(depth + 1);
      if (this.isValid) values.push(value);
    }
    return values;
  }

  // `/#45ncrypt` is `Encrypt` (7.3.5).
  #name(): string {
    const start = this.at + 1;
    do this.at += 1;
    while (this.#kind(this.at) === REGULAR);
    const name = this.#text.slice(start, Math.min(this.at, start + MAX_NAME));
    if (!name.includes('#')) return name;
    return name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  #literal(): PdfString {
    const start = this.at + 1;
    let depth = 0;
    do {
      const char = this.#text[this.at];
      if (char === '\\') this.at += 1;
      else if (char === '(') depth += 1;
      else if (char === ')') depth -= 1;
      this.at += 1;
    } while (depth > 0 && !this.isAtEnd);
    if (depth > 0) this.#invalid();
    return { raw: this.#text.slice(start, this.at - 1), isHexadecimal: false };
  }

  #hexadecimal(): PdfString {
    const start = this.at + 1;
    // PDF readers skip other characters in it, but not those that begin something else.
    do this.at += 1;
    while (!this.isAtEnd && this.#kind(this.at) !== DELIMITER);
    const raw = this.#text.slice(start, this.at);
    if (!this.word('>')) this.#invalid();
    return { raw, isHexadecimal: true };
  }

  #scalar(): PdfValue {
    const number = this.integer();
    if (number !== null) {
      const after = this.at;
      if (this.integer() !== null && this.word('R') && this.#kind(this.at) !== REGULAR) return { object: number };
      this.at = after;
      return number;
    }
    const start = this.at;
    while (this.#kind(this.at) === REGULAR) this.at += 1;
    const scalar = this.#text.slice(start, Math.min(this.at, start + MAX_NAME));
    // Another word is one value for every reader: `nan`, `--5`, `1e-5`, `True`.
    return NUMBER.test(scalar) ? Number(scalar) : (CONSTANTS.get(scalar) ?? null);
  }
}

// A line end that a backslash hides, an escaped character, a line end, or another character (7.3.4.2).
const PART = /\\(?:\r\n|\r|\n)|\\([0-7]{1,3})|\\(.)|\r\n?|[^\\]/gs;
const ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }));

const MAX_BYTES = 128;

/** Returns the bytes of a string: at most `MAX_BYTES`, and none for a value that is not a string. */
export function bytesOf(value: PdfValue | undefined): Uint8Array<ArrayBuffer> {
  if (typeof value !== 'object' || value === null || !('raw' in value)) return new Uint8Array();
  // No byte takes more than four characters (`\377`), but white space can be between hexadecimal digits.
  const raw = value.raw.slice(0, 8 * MAX_BYTES);
  const digits = raw.replace(/[^0-9A-Fa-f]/g, '');
  const bytes = value.isHexadecimal
    ? (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
    : [...raw.matchAll(PART)].flatMap(([part, octal, escaped]) => {
        if (octal !== undefined) return [Number.parseInt(octal, 8) & 0xff];
        if (escaped !== undefined) return [(ESCAPES.get(escaped) ?? escaped).charCodeAt(0)];
        if (part.startsWith('\\')) return [];
        return [part.startsWith('\r') ? 0x0a : part.charCodeAt(0)];
      });
  return Uint8Array.from(bytes.slice(0, MAX_BYTES));
}
