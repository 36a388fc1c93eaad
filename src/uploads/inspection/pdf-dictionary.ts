/** The names of the entries of a trailer that decide about a PDF. `readEntries` leaves out other entries. */
const NAMES = ['Type', 'Encrypt', 'XRefStm', 'Prev'] as const;

/** The entries of a dictionary with a name in `NAMES`: the first word of each value, or its opening bracket. */
export type Entries = ReadonlyMap<EntryName, string>;

type EntryName = (typeof NAMES)[number];

/**
 * The maximum length of a name that is decoded: that of the longest of `NAMES` with each character written as `#` and two
 * digits.
 */
const MAX_NAME_LENGTH = 3 * Math.max(...NAMES.map(({ length }) => length));

/**
 * The kinds of Latin-1 characters (ISO 32000-1, 7.2.2). A character that is not white space or a delimiter is regular.
 */
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;
/**
 * Returns the kind of the character at an offset; undefined when the offset is after the end of the text. The characters
 * above U+00FF, which `latin1` makes of some bytes, are regular.
 */
const kindAt = (text: string, at: number): number | undefined =>
  at < text.length ? (KINDS[text.charCodeAt(at)] ?? REGULAR) : undefined;

/** Matches a word that can be in a dictionary: a number, the last word of a reference (`5 0 R`), or a constant. */
const WORD = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)|R|true|false|null)$/;

/**
 * Returns the offset of the first character at or after `from` that is not white space and not in a comment (ISO
 * 32000-1, 7.2.3 and 7.2.4); the length of the text when there is none. It reads character by character, because a
 * backtracking regular expression can take minutes on a malicious file.
 */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (kindAt(text, at) === SPACE) at += 1;
    if (text[at] !== '%') return at;
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
  }
}

/**
 * Returns the offset after the word at `from` (a number, a keyword or a name without its slash); `from` itself when no
 * word begins there.
 */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) === REGULAR) at += 1;
  return at;
}

/**
 * Returns the next keyword or number at or after `from`, and the offset after that word. Skips white space and comments
 * before it. `word` is an empty text when something else comes next.
 */
export function wordAt(text: string, from: number): { readonly word: string; readonly end: number } {
  const start = skipSpace(text, from);
  const end = endOfWord(text, start);
  return { word: text.slice(start, end), end };
}

/**
 * Reads a dictionary: the name-value pairs of a PDF between `<<` and `>>` (ISO 32000-1, 7.3.7). Returns null when it is
 * not closed, or contains something invalid: PDF readers differ in what they skip, and so in which names they find.
 *
 * @param from - offset after the opening `<<`
 */
export function readEntries(text: string, from: number): Entries | null {
  const entries = new Map<EntryName, string>();
  /** The bracket that closes each list or dictionary that is open within this dictionary, the innermost last. */
  const open: (']' | '>>')[] = [];
  /**
   * The name of the entry whose value comes next; null when that name is not in `NAMES`. Undefined while a name comes
   * next.
   */
  let name: EntryName | null | undefined;
  function value(word: string): void {
    // PDF readers differ in which of two entries with one name they use: keep the first that is not `null`.
    if (typeof name === 'string' && (entries.get(name) ?? 'null') === 'null') entries.set(name, word);
    name = undefined;
  }

  let at = skipSpace(text, from);
  for (; at < text.length; at = skipSpace(text, at)) {
    const char = text[at];
    if (char === '(') {
      value('(');
      at = endOfString(text, at + 1);
    } else if (text.startsWith('<<', at) || char === '[') {
      value(char === '[' ? '[' : '<<');
      open.push(char === '[' ? ']' : '>>');
      at += char === '[' ? 1 : 2;
    } else if (text.startsWith('>>', at) || char === ']') {
      const bracket = char === ']' ? ']' : '>>';
      if (open.length === 0 && bracket === '>>') return entries;
      if (open.pop() !== bracket) return null;
      at += bracket.length;
    } else if (char === '<') {
      value('<');
      const end = endOfHex(text, at + 1);
      if (end === null) return null;
      at = end;
    } else if (char === '/') {
      const end = endOfWord(text, at + 1);
      if (open.length === 0 && name === undefined) name = decodeName(text.slice(at + 1, end));
      else value(text.slice(at, end));
      at = end;
    } else {
      const end = endOfWord(text, at);
      const word = text.slice(at, end);
      if (!WORD.test(word)) return null;
      value(word);
      at = end;
    }
  }
  return null;
}

/**
 * Decodes a name (`#45ncrypt` is `Encrypt`; ISO 32000-1, 7.3.5). Returns the decoded name when it is in `NAMES`, else
 * null.
 */
function decodeName(name: string): EntryName | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const spelt = name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return NAMES.find((one) => one === spelt) ?? null;
}

/**
 * Returns the offset after the bracket that closes a string, or the length of the text when the string is not closed.
 * Brackets in a string are nested or escaped (ISO 32000-1, 7.3.4.2).
 */
function endOfString(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * Returns the offset after the `>` that closes a hexadecimal string (ISO 32000-1, 7.3.4.3); null when something else than
 * hexadecimal digits and white space comes first.
 */
function endOfHex(text: string, from: number): number | null {
  let at = from;
  while (kindAt(text, at) === SPACE || /[0-9A-Fa-f]/.test(text.charAt(at))) at += 1;
  return text[at] === '>' ? at + 1 : null;
}
