/** Maximum nesting depth of a JSON text (reliability.md, "Bounded"). */
const MAX_DEPTH = 32;
/** Maximum number of items in one list of a JSON text (reliability.md, "Bounded"). */
const MAX_ITEMS = 1_000;
/**
 * Maximum number of values in a JSON text: members of objects and items of lists, where an empty object or list counts
 * twice (reliability.md, "Bounded"). The largest letter (`brief/content.ts`) has fewer than 18,000.
 */
const MAX_VALUES = 20_000;

/** Maximum number of characters in one string of a JSON text, also in a member name (reliability.md, "Bounded"). */
const MAX_CHARACTERS = 10_000;

/**
 * A limit that a JSON text exceeds: nesting depth (`too-deep`), list length (`too-long`), number of values (`too-many`) or
 * length of a string (`long-string`).
 */
export type JsonFault = 'too-deep' | 'too-long' | 'too-many' | 'long-string';

/** The result of `scanJson`. */
export interface Scanned {
  /** The first limit that the text exceeds; null when it exceeds none. */
  readonly fault: JsonFault | null;
  /** Offset in the text at which it exceeds that limit; the length of the text when it exceeds none. */
  readonly at: number;
  /**
   * Text of each member of the outermost object, keyed by name. When a name occurs more than once, its last value is
   * kept, as in `JSON.parse`. Incomplete when `fault` is not null.
   */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Checks the limits of a valid JSON text (depth, lists, values and strings), and returns the text of each member
 * of its outermost object. Stops at the first exceeded limit. The text is needed because parsing changes a draft: `1.0`
 * becomes `1`.
 */
export function scanJson(text: string): Scanned {
  const members = new Map<string, string>();
  /** One number for each bracket that is not closed yet: the number of commas so far in a list, or -1 for an object. */
  const open: number[] = [];
  let values = 0;
  let name: string | undefined;
  let start = 0;

  const endMember = (end: number): void => {
    if (name !== undefined) members.set(name, text.slice(start, end).trim());
    name = undefined;
  };

  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (isLongString(text, at, end)) return { fault: 'long-string', at, members };
        if (open.length === 1 && open[0] === -1 && name === undefined) {
          name = JSON.parse(text.slice(at, end + 1)) as string;
          start = text.indexOf(':', end) + 1;
          at = start - 1;
        } else at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        open.push(text.charCodeAt(at) === 0x7b ? -1 : 0);
        values += 1;
        if (open.length > MAX_DEPTH) return { fault: 'too-deep', at, members };
        if (values > MAX_VALUES) return { fault: 'too-many', at, members };
        break;
      case 0x7d:
      case 0x5d:
        if (open.length === 1) endMember(at);
        open.pop();
        break;
      case 0x2c: {
        const commas = open.at(-1) ?? -1;
        values += 1;
        if (values > MAX_VALUES) return { fault: 'too-many', at, members };
        if (commas === -1) {
          if (open.length === 1) endMember(at);
        } else if (commas + 2 > MAX_ITEMS) return { fault: 'too-long', at, members };
        else open[open.length - 1] = commas + 1;
        break;
      }
    }
  }
  return { fault: null, at: text.length, members };
}

/**
 * Returns the member names and list indexes that lead to the value at an offset of a valid JSON text, the outermost
 * first. For the name of a member it returns the path of its object.
 */
export function pathAt(text: string, offset: number): (string | number)[] {
  /** For each bracket that is not closed yet: the index in a list, or the last name in an object (null for none). */
  const open: (string | number | null)[] = [];
  for (let at = 0; at < offset; at += 1) {
    const last = open.at(-1);
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (last === null) open[open.length - 1] = JSON.parse(text.slice(at, end + 1)) as string;
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        open.push(text.charCodeAt(at) === 0x7b ? null : 0);
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        break;
      case 0x2c:
        open[open.length - 1] = typeof last === 'number' ? last + 1 : null;
        break;
    }
  }
  return open.filter((part) => part !== null);
}

/** Returns true when the string between the quotes at `start` and `end` has too many characters, without its escapes. */
const isLongString = (text: string, start: number, end: number): boolean =>
  end - start - 1 > MAX_CHARACTERS && [...JSON.parse(text.slice(start, end + 1))].length > MAX_CHARACTERS;

/** Returns the index of the closing quote of the string that opens at index `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}
