import type { Caller } from '../../../src/auth/identity.ts';
import { passesElfproef } from '../../../src/domain/elfproef.ts';

const HIDDEN = '…';

/**
 * Matches a separator between groups of digits: one to three times white space or a character such as a dash or dot
 * (plain, or escaped as in a URL or JSON), or the boundary between two strings of a JSON list.
 */
const SEPARATOR = /((?:[\s.\-/_+\u2010-\u2015]|%[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\\?"\s?,\s?\\?"){1,3})/i;
/**
 * Matches numbers, also in groups of digits. It also matches escapes, UUIDs and long hexadecimal texts, so that their
 * digits are not taken for a number.
 */
const NUMBERS =
  /%[\da-f]{2}|\\u[\da-f]{4}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{16,}|\d+(?:(?:[\s.\-/_+\u2010-\u2015]|%[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\\?"\s?,\s?\\?"){1,3}\d+)*/gi;
const BSN_LENGTH = 9;

/**
 * Returns true when nine digits must be hidden as a burgerservicenummer (citizen service number). `isGrouped` is true
 * when separators are between the digits.
 */
type IsHidden = (nine: string, isGrouped: boolean) => boolean;

/** Returns true for nine digits that pass the 11-test, as every burgerservicenummer does. */
const passes: IsHidden = (nine) => passesElfproef(nine);
/**
 * Returns true for nine digits without separators, and for grouped digits that pass the 11-test. Used for headers and
 * URLs, where grouped digits may be a date or a coordinate.
 */
const passesOrWhole: IsHidden = (nine, isGrouped) => !isGrouped || passes(nine, isGrouped);

/**
 * Returns the text with `hidden` in place of each burgerservicenummer, also one written in groups of digits. `isHidden`
 * decides whether nine digits are treated as a burgerservicenummer.
 */
const withoutNumbers = (text: string, isHidden: IsHidden, hidden = HIDDEN): string =>
  text.replace(NUMBERS, (found) =>
    /^\d/.test(found) && !/^[\da-f]{16}/i.test(found) ? maskedNumber(found, isHidden, hidden) : found,
  );

/** Returns a number with `hidden` in place of groups of digits that together are nine digits to hide. */
function maskedNumber(number: string, isHidden: IsHidden, hidden: string): string {
  const parts = number.split(SEPARATOR);
  let kept = '';
  // Parts with an even index are groups of digits; parts with an odd index are separators.
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

/** Returns the groups of digits at the indexes `from` to `end`, without the separators between them. */
const groupsOf = (parts: readonly string[], from: number, to: number): string[] =>
  parts.slice(from, to + 1).filter((_, index) => index % 2 === 0);

/**
 * Returns the index of the last group when groups of digits from index `from` have exactly nine digits together;
 * otherwise null.
 */
function endOfNine(parts: readonly string[], from: number): number | null {
  let length = 0;
  for (let at = from; at < parts.length && length < BSN_LENGTH; at += 2) {
    length += parts[at]?.length ?? 0;
    if (length === BSN_LENGTH) return at;
  }
  return null;
}

/** Matches parts of header names that often contain secrets. */
const SECRET_HEADER = /token|secret|password|api-?key|session|auth|credential|signature|jwt/;

/** Returns request headers in which secrets (such as tokens and cookies) and burgerservicenummers are masked. */
export function maskedHeaders(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  caller: Caller | undefined,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(headers)) kept[name] = mask(name, values.join(', '), caller);
  return kept;
}

/** Returns the masked value of one request header. `name` is in lower case. */
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
      return SECRET_HEADER.test(name) ? HIDDEN : maskedPath(value);
  }
}

/**
 * Returns the subject of the caller; `…` when there is no caller, or when the subject was derived from a
 * burgerservicenummer (`bsn-…`).
 */
const nameOf = (caller: Caller | undefined): string =>
  caller === undefined || caller.subject.startsWith('bsn-') ? HIDDEN : caller.subject;

const PARAMETER = /([?&])([^=?&\s]*)=[^&\s]*/g;
/** Matches the names of query parameters that contain a secret. */
const SECRET_PARAMETER = /(token|secret|password|api_?key|jwt)$|^code$/i;

/**
 * Returns a path with query, or a header value, in which secret query parameters and burgerservicenummers are masked.
 */
export const maskedPath = (path: string): string =>
  withoutNumbers(
    path.replace(PARAMETER, (all, before: string, name: string) =>
      SECRET_PARAMETER.test(name) ? `${before}${name}=${HIDDEN}` : all,
    ),
    passesOrWhole,
  );

/** Returns the text with `…` in place of each nine-digit number that passes the 11-test of a burgerservicenummer. */
export const maskedText = (text: string): string => withoutNumbers(text, passes);

/**
 * Returns a copy of a JSON value in which burgerservicenummers in strings and numbers are replaced by `…`. Names of
 * members are not changed.
 */
export function maskedFacts(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number') return maskedText(`${value}`) === `${value}` ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(maskedFacts);
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskedFacts(one)]));
}
