/**
 * The limits of a JSON text. They are checked before the text is parsed and compared with a schema, because both take
 * much longer for a text that was made to be costly.
 */

/** Limits of a JSON text. A limit that is absent is not checked. */
export interface JsonLimits {
  /** Maximum number of objects and lists within each other. */
  readonly depth?: number;
  /** Maximum number of values: members of objects and items of lists, where an empty object or list counts twice. */
  readonly values?: number;
  /** Maximum number of members of the outermost object. */
  readonly outermost?: number;
  /** Maximum number of members of all objects together. */
  readonly members?: number;
  /** Maximum number of members, of all objects together, whose name is not in `names`. */
  readonly unknown?: number;
  /** Names of members that are known. The name is compared as it is written: one with an escape is unknown. */
  readonly names?: ReadonlySet<string>;
  /** Maximum number of items of one list. */
  readonly items?: number;
  /** Maximum number of characters of one string, also of the name of a member. */
  readonly characters?: number;
}

/**
 * The limits of a text that a person sends or writes (reliability.md, "Bounded"). The largest letter
 * (`src/brief/content.ts`) has fewer than 18,000 values.
 */
export const JSON_LIMITS = { depth: 32, values: 20_000, items: 1_000, characters: 10_000 } as const;

/** The limit that a JSON text exceeds. */
export type JsonFault = Exclude<keyof JsonLimits, 'names'>;

/** The result of `scanJson`. */
export interface ScannedJson {
  /** The first limit that the text exceeds; null when it exceeds none. */
  readonly fault: JsonFault | null;
  /** Offset in the text at which it exceeds that limit; the length of the text when it exceeds none. */
  readonly at: number;
  /** Offsets of the members of the outermost object, two for each: of its name, and of its end. */
  readonly members: readonly number[];
  /** Number of members of all objects together. */
  readonly memberCount: number;
}

// A limit that is not checked.
const NONE = Number.POSITIVE_INFINITY;

/**
 * Stops at the first limit that the text exceeds. It need not be valid JSON: what is wrong in another way is left to
 * `JSON.parse`.
 */
export function scanJson(text: string, limits: JsonLimits): ScannedJson {
  const { depth = NONE, values = NONE, items = NONE, characters = NONE, outermost = NONE } = limits;
  const { members = NONE, unknown = NONE, names } = limits;
  const found: number[] = [];
  // For each bracket that is not closed yet: the number of commas so far in a list, or -1 for an object.
  const open: number[] = [];
  let valueCount = 0;
  let memberCount = 0;
  let unknownCount = 0;
  // The last string is the name of a member when a colon follows.
  let lastString = 0;
  let lastStringEnd = 0;
  const exceeds = (fault: JsonFault, at: number): ScannedJson => ({ fault, at, members: found, memberCount });
  const endMember = (at: number): void => {
    if (found.length % 2 === 1) found.push(at);
  };

  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (end - at - 1 > characters && hasMoreCharacters(text.slice(at, end + 1), characters))
          return exceeds('characters', at);
        lastString = at;
        lastStringEnd = end;
        at = end;
        break;
      }
      case 0x3a:
        memberCount += 1;
        if (memberCount > members) return exceeds('members', at);
        if (names?.has(text.slice(lastString + 1, lastStringEnd)) === false) unknownCount += 1;
        if (unknownCount > unknown) return exceeds('unknown', at);
        if (open.length === 1 && found.push(lastString) > 2 * outermost) return exceeds('outermost', at);
        break;
      case 0x7b:
      case 0x5b:
        open.push(text.charCodeAt(at) === 0x7b ? -1 : 0);
        valueCount += 1;
        if (open.length > depth) return exceeds('depth', at);
        if (valueCount > values) return exceeds('values', at);
        break;
      case 0x7d:
      case 0x5d:
        if (open.length === 1) endMember(at);
        open.pop();
        break;
      case 0x2c: {
        const commas = open.at(-1) ?? -1;
        valueCount += 1;
        if (valueCount > values) return exceeds('values', at);
        if (commas === -1) {
          if (open.length === 1) endMember(at);
        } else if (commas + 2 > items) return exceeds('items', at);
        else open[open.length - 1] = commas + 1;
        break;
      }
    }
  }
  return { fault: null, at: text.length, members: found, memberCount };
}

/**
 * Scans only a text that has more brackets, or is longer, than the limits: a scan takes half the time that parsing
 * takes.
 */
export function isTooComplex(text: string, limits: { readonly depth: number; readonly values: number }): boolean {
  const { depth, values } = limits;
  if (text.length <= values && countOf(text, '{', depth) + countOf(text, '[', depth) <= depth) return false;
  return scanJson(text, limits).fault !== null;
}

// `max` + 1 when there are more.
function countOf(text: string, character: string, max: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= max; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/**
 * Returns a member of the outermost object as it was written; undefined when there is none. Parsing changes a value: `1.0`
 * becomes `1`.
 *
 * @param text - valid JSON
 * @param scanned - the result of `scanJson` for it
 */
export function memberText(text: string, { members }: ScannedJson, name: string): string | undefined {
  for (let index = 0; index < members.length; index += 2) {
    const [start = 0, end = 0] = members.slice(index, index + 2);
    const endOfName = endOfString(text, start);
    if (nameAt(text, start, endOfName) === name) return text.slice(text.indexOf(':', endOfName) + 1, end).trim();
  }
  return undefined;
}

type Path = readonly (string | number)[];

/**
 * Returns the path of each member that its object has more than once, the outermost name first. `JSON.parse` silently
 * uses the last one.
 *
 * @param scanned - the result of `scanJson` for `text`
 * @param value - the parsed `text`
 */
export const repeatedMembers = (text: string, { memberCount }: ScannedJson, value: unknown): readonly Path[] =>
  memberCount === countMembers(value) ? [] : walk(text, text.length).repeated;

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  // `Object.values` takes twice the time for an object with thousands of members.
  else for (const name in value) count += 1 + countMembers(value[name as keyof typeof value]);
  return count;
}

/** The outermost first. For the name of a member it returns the path of its object. */
export const pathAt = (text: string, offset: number): Path => walk(text, offset).path;

// The path at `offset`, and those of the members before it that their object has more than once.
function walk(text: string, offset: number): { readonly path: Path; readonly repeated: readonly Path[] } {
  // For each bracket that is not closed yet: the index in a list, or the last name in an object and how often it has
  // each name.
  const open: { key: string | number | null; readonly names: Map<string, number> }[] = [];
  const path = () => open.flatMap(({ key }) => key ?? []);
  const repeated: Path[] = [];
  for (let at = 0; at < offset; at += 1) {
    const last = open.at(-1);
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (last?.key === null) {
          const name = nameAt(text, at, end);
          const count = (last.names.get(name) ?? 0) + 1;
          last.key = name;
          last.names.set(name, count);
          if (count === 2) repeated.push(path());
        }
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        open.push({ key: text.charCodeAt(at) === 0x7b ? null : 0, names: new Map() });
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        break;
      case 0x2c:
        if (last !== undefined) last.key = typeof last.key === 'number' ? last.key + 1 : null;
        break;
    }
  }
  return { path: path(), repeated };
}

// Returns the text of a JSON string; the written text when it is not valid JSON.
function unescaped(written: string): string {
  try {
    return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
  } catch {
    return written;
  }
}

const nameAt = (text: string, start: number, end: number): string => unescaped(text.slice(start, end + 1));

// UTF-16 units in which JSON writes one character, as in `\ud83d\udc4d`.
const UNITS = 12;

// `written` has its quotes.
function hasMoreCharacters(written: string, max: number): boolean {
  if (written.length - 2 > UNITS * max) return true;
  const text = unescaped(written);
  if (text.length <= max) return false;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}

// The index of the closing quote; that of the last unit without one.
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  if (end === -1) return text.length - 1;
  if (text.charCodeAt(end - 1) !== 0x5c) return end;
  // A text with escapes is read unit by unit: each escaped quote would be a search.
  for (end = at + 1; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit === 0x22) return end;
    if (unit === 0x5c) end += 1;
  }
  return text.length - 1;
}

// A longer text is not searched for the place, because that takes some ten times as long as parsing it.
const MAX_SEARCHED = 16 * 1024;

/**
 * Returns where a text is not JSON; null when that is not known. The message of the parser quotes the text, which can
 * contain personal data, so that only the place may be shown. V8 does not say where an unexpected character is: after the
 * longest beginning of the text that could go on as JSON.
 *
 * @param error - what `JSON.parse` threw
 */
export function offsetOfFault(text: string, error: unknown): number | null {
  const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(String(error)) ?? [];
  if (position !== undefined) return Number(position);
  if (String(error).includes('end of JSON input')) return text.length;
  if (!/^SyntaxError: Unexpected token .* is not valid JSON$/s.test(String(error)) || text.length > MAX_SEARCHED)
    return null;
  let [right, wrong] = [0, text.length];
  while (right + 1 < wrong) {
    const middle = (right + wrong) >> 1;
    if (isBeginning(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  return right;
}

function isBeginning(part: string): boolean {
  try {
    JSON.parse(part);
    return true;
  } catch (error) {
    const [, position = part.length] = / at position (\d+) /.exec(String(error)) ?? [];
    return !String(error).includes('Unexpected token') && Number(position) >= part.length;
  }
}

/** Left out of an upstream's answer, or read as unknown. It contains no value, because that could be personal. */
export interface NotUnderstood {
  /** Where the values are, such as `/diplomas[]/status`. */
  readonly member: string;
  /** The form of the first value: `"aaaaaaa"` for `revoked`, `"99"` for `05`, or a type such as `null`. */
  readonly shape: string;
  /** Number of values. */
  readonly count: number;
}
