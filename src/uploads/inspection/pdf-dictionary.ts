/**
 * Characters of the longest name that is searched for, when each of its characters is written as `#` and two digits.
 */
const MAX_NAME_LENGTH = 3 * 'Encrypt'.length;

/** The kind of each Latin-1 character (ISO 32000-1, 7.2.2): a character in neither list below is regular. */
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;
/** Returns the kind of the character at an offset; undefined after the end of the text, where its code is NaN. */
const kindAt = (text: string, at: number): number | undefined => KINDS[text.charCodeAt(at)];

/**
 * Returns the offset of the first character at or after `from` that is not white space and not in a comment (ISO
 * 32000-1, 7.2.3 and 7.2.4). This function and those below read each character once: a regular expression can
 * backtrack, so that a file of a hundred bytes keeps it running without end.
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
 * Returns the offset after the word (number, keyword or name without slash) at `from`; `from` when there is no word.
 */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) === REGULAR) at += 1;
  return at;
}

/** Returns the keyword or number at or after `from`, and the offset after it. The word is '' when neither is there. */
export function wordAt(text: string, from: number): { readonly word: string; readonly end: number } {
  const start = skipSpace(text, from);
  const end = endOfWord(text, start);
  return { word: text.slice(start, end), end };
}

/**
 * Returns the entries of a dictionary that have one of `names`, each with the first word of its value (ISO 32000-1,
 * 7.3.7): a name with its slash, or `(`, `<`, `[` or `<<` for a string, array or dictionary. Null when the dictionary
 * has no end.
 *
 * @param from - offset after the opening `<<`
 */
export function readEntries(text: string, from: number, names: ReadonlySet<string>): Map<string, string> | null {
  const entries = new Map<string, string>();
  let depth = 0;
  /** The name whose value comes next; null when it is not in `names`, undefined when a name comes next. */
  let name: string | null | undefined;
  function value(word: string): void {
    if (depth > 0) return;
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
      depth += 1;
      at += char === '[' ? 1 : 2;
    } else if (text.startsWith('>>', at) || char === ']') {
      if (depth === 0) return entries;
      depth -= 1;
      at += char === ']' ? 1 : 2;
    } else if (char === '<') {
      value('<');
      at = endOfHex(text, at + 1);
    } else if (char === '/') {
      const end = endOfWord(text, at + 1);
      if (depth === 0 && name === undefined) name = wanted(text.slice(at + 1, end), names);
      else value(text.slice(at, end));
      at = end;
    } else {
      const end = endOfWord(text, at);
      if (end > at) value(text.slice(at, end));
      // Skip a closing bracket without its opening one.
      at = Math.max(end, at + 1);
    }
  }
  return null;
}

/** Returns the name, decoded (`#45ncrypt` is `Encrypt`; ISO 32000-1, 7.3.5), when it is one of `names`; else null. */
function wanted(name: string, names: ReadonlySet<string>): string | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const spelt = name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return names.has(spelt) ? spelt : null;
}

/**
 * Returns the offset after the bracket that closes a string, or the end of the text without one. Brackets in a string
 * are nested or escaped (ISO 32000-1, 7.3.4.2).
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
 * Returns the offset after the `>` that closes a hexadecimal string (ISO 32000-1, 7.3.4.3); when another delimiter
 * comes first, the offset of that.
 */
function endOfHex(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) === SPACE || kindAt(text, at) === REGULAR) at += 1;
  return text[at] === '>' ? at + 1 : at;
}
