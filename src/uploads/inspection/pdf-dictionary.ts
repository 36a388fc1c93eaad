/** The longest name of interest, with each of its characters written as `#` and two digits. */
const LONGEST_NAME = 3 * 'Encrypt'.length;

/** The kind of each character of Latin-1 (ISO 32000-1, 7.2.2): all that are in neither list are regular. */
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;
/** Undefined after the end of the text, where the code is NaN. */
const kindAt = (text: string, at: number): number | undefined => KINDS[text.charCodeAt(at)];

/**
 * Offset of the first character at or after `from` that is neither white space nor in a comment (ISO 32000-1, 7.2.3 and 7.2.4).
 * This and the functions below look at every character once. A regular expression that repeats a choice would not, and a file of
 * a hundred bytes could keep it busy for ever.
 */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (kindAt(text, at) === SPACE) at += 1;
    if (text[at] !== '%') return at;
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
  }
}

/** Offset after the word (a number, keyword or the rest of a name) that begins at `from`; `from` when none does. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) === REGULAR) at += 1;
  return at;
}

/** The keyword or number at or after `from`, and the offset after it; '' when something else stands there. */
export function wordAt(text: string, from: number): { readonly word: string; readonly end: number } {
  const start = skipSpace(text, from);
  const end = endOfWord(text, start);
  return { word: text.slice(start, end), end };
}

/**
 * The entries of a dictionary that have one of these names, each with the first word of its value (7.3.7): a name with its
 * slash, or `(`, `<`, `[` and `<<` for what begins with one. `from` is the offset after the opening `<<`. Null when the
 * dictionary does not end.
 */
export function readEntries(text: string, from: number, names: ReadonlySet<string>): Map<string, string> | null {
  const entries = new Map<string, string>();
  let depth = 0;
  /** The name whose value comes next; null for one that was not asked for. */
  let name: string | null | undefined;
  function value(word: string): void {
    if (depth > 0) return;
    // Of a name that is there twice readers take either; one that says more than `null` counts.
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
      // A bracket without its partner says nothing.
      at = Math.max(end, at + 1);
    }
  }
  return null;
}

/** A name if it is one of these, however it is spelt: `#45ncrypt` is the same as `Encrypt` (7.3.5). Else null. */
function wanted(name: string, names: ReadonlySet<string>): string | null {
  if (name.length > LONGEST_NAME) return null;
  const spelt = name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return names.has(spelt) ? spelt : null;
}

/** Offset after the bracket that closes a string; the end of the text when none does. Brackets in a string nest or are escaped (7.3.4.2). */
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

/** Offset after the bracket that closes a hexadecimal string; of the first delimiter when that is another one (7.3.4.3). */
function endOfHex(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) === SPACE || kindAt(text, at) === REGULAR) at += 1;
  return text[at] === '>' ? at + 1 : at;
}
