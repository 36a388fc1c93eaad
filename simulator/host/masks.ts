import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../src/auth/identity.ts';
import { passesElfproef } from '../../src/domain/elfproef.ts';

const HIDDEN = '…';

/**
 * What may stand between two groups of a number, at most three of them: a space of any kind, a dash, a dot, a slash, each of
 * them as a URL or as JSON has it, or the end of one string of a list and the beginning of the next.
 */
const BETWEEN = /((?:[\s.\-/_+\u2010-\u2015]|%[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\\?"\s?,\s?\\?"){1,3})/i;
/**
 * A number that may be in groups, as the last alternative. Before it what is skipped whole, since its digits are none of a
 * number: what a URL and JSON write by its code, an id, and a hash of sixteen hexadecimal digits or more.
 */
const NUMBERS =
  /%[\da-f]{2}|\\u[\da-f]{4}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{16,}|\d+(?:(?:[\s.\-/_+\u2010-\u2015]|%[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\\?"\s?,\s?\\?"){1,3}\d+)*/gi;
const LENGTH = 9;

/** Whether nine digits are to be hidden; `isGrouped`: something stands between some of them. */
type IsHidden = (nine: string, isGrouped: boolean) => boolean;

/** Nine digits that pass the 11-test, as every burgerservicenummer does. */
const passes: IsHidden = (nine) => passesElfproef(nine);
/** For where a number of nine digits is seldom anything else. In groups it often is: a date and a count, a coordinate. */
const passesOrWhole: IsHidden = (nine, isGrouped) => !isGrouped || passes(nine, isGrouped);

/** A text without the burgerservicenummers in it, however their nine digits are grouped. Linear in its length. */
const withoutNumbers = (text: string, isHidden: IsHidden, hidden = HIDDEN): string =>
  text.replace(NUMBERS, (found) =>
    /^\d/.test(found) && !/^[\da-f]{16}/i.test(found) ? ungrouped(found, isHidden, hidden) : found,
  );

/** A number in groups, without those groups that together are nine digits to be hidden. */
function ungrouped(number: string, isHidden: IsHidden, hidden: string): string {
  const parts = number.split(BETWEEN);
  let kept = '';
  // Groups are the even parts, what stands between them the odd ones.
  for (let at = 0; at < parts.length; at += 1) {
    const end = at % 2 === 0 ? endOfNine(parts, at) : null;
    const nine = end === null ? '' : groupsOf(parts, at, end).join('');
    if (end !== null && isHidden(nine, end > at)) {
      kept += hidden;
      at = end;
    } else kept += parts[at];
  }
  return kept;
}

const groupsOf = (parts: readonly string[], from: number, to: number): string[] =>
  parts.slice(from, to + 1).filter((_, index) => index % 2 === 0);

/** The index of the group at which nine digits are whole, or null: no groups from here are nine digits together. */
function endOfNine(parts: readonly string[], from: number): number | null {
  let length = 0;
  for (let at = from; at < parts.length && length < LENGTH; at += 2) {
    length += parts[at]?.length ?? 0;
    if (length === LENGTH) return at;
  }
  return null;
}

/** Headers that are no part of the contract, by which proxies and habits send secrets. */
const SECRET = /token|secret|password|api-?key|session|auth|credential|signature|jwt/;

/** Headers as they may be kept: no token, no cookie, nobody's number. Who came by number is named as the house knows them. */
export function maskedHeaders(request: IncomingMessage, caller: Caller | undefined): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(request.headersDistinct))
    kept[name] = mask(name, values.join(', '), caller);
  return kept;
}

function mask(name: string, value: string, caller: Caller | undefined): string {
  switch (name) {
    case 'authorization':
    case 'proxy-authorization':
      return value.replace(/^([a-z]{1,20} +)?.+$/is, `$1${HIDDEN}`);
    case 'cookie':
      return HIDDEN;
    case 'x-subject':
    case 'x-medewerker':
      return withoutNumbers(value, () => true, nameOf(caller));
    case 'content-length':
      return value;
    default:
      return SECRET.test(name) ? HIDDEN : maskedPath(value);
  }
}

/** Who has no other name than a hash of their number is not to be called by it. */
const nameOf = (caller: Caller | undefined): string =>
  caller === undefined || caller.subject.startsWith('bsn-') ? HIDDEN : caller.subject;

/** One parameter of a query: its name, and its value. */
const PARAMETER = /([?&])([^=?&\s]*)=[^&\s]*/g;
/** A token does not belong in a URL, and is put there all the same. */
const TOKEN = /(token|secret|password|api_?key|jwt)$|^code$/i;

export const maskedPath = (path: string): string =>
  withoutNumbers(
    path.replace(PARAMETER, (all, before: string, name: string) =>
      TOKEN.test(name) ? `${before}${name}=${HIDDEN}` : all,
    ),
    passesOrWhole,
  );

/** The same text without the burgerservicenummers in it: what passes the 11-test, so that most other numbers stay. */
export const maskedText = (text: string): string => withoutNumbers(text, passes);

/** Facts without the burgerservicenummers in them. */
export function maskedFacts(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number') return maskedText(`${value}`) === `${value}` ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(maskedFacts);
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskedFacts(one)]));
}
