import type { Caller } from '../../src/auth/identity.ts';
import { passesElfproef } from '../../src/domain/identifiers.ts';

const HIDDEN = '…';

/**
 * Matches a separator between groups of digits: one to three times white space or a character such as a dash or dot
 * (plain, or escaped as in a URL or JSON), or the boundary between two strings of a JSON list.
 */
const SEPARATOR = /((?:[\s.\-/_+\u2010-\u2015]|%[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\\?"\s?,\s?\\?"){1,3})/i;
/** Numbers, also in groups; and escapes, UUIDs and long hexadecimal texts, so that their digits are no number. */
const NUMBERS =
  /%[\da-f]{2}|\\u[\da-f]{4}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{16,}|\d+(?:(?:[\s.\-/_+\u2010-\u2015]|%[\da-f]{2}|\\u[\da-f]{4}|\\[nrt]|\\?"\s?,\s?\\?"){1,3}\d+)*/gi;
const BSN_LENGTH = 9;

/** `isGrouped` is true when there are separators between the digits. */
type IsHidden = (nine: string, isGrouped: boolean) => boolean;

const isValidBsn: IsHidden = (nine) => passesElfproef(nine);
/** For headers and URLs, where grouped digits may be a date or a coordinate. */
const isValidBsnOrWhole: IsHidden = (nine, isGrouped) => !isGrouped || isValidBsn(nine, isGrouped);

const hideNumbers = (text: string, isHidden: IsHidden, hidden = HIDDEN): string =>
  text.replace(NUMBERS, (found) =>
    found.length >= BSN_LENGTH && /^\d/.test(found) && !/^[\da-f]{16}/i.test(found)
      ? maskNumber(found, isHidden, hidden)
      : found,
  );

function maskNumber(number: string, isHidden: IsHidden, hidden: string): string {
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

const groupsOf = (parts: readonly string[], from: number, to: number): string[] =>
  parts.slice(from, to + 1).filter((_, index) => index % 2 === 0);

/** Null when no group ends after exactly nine digits, counted from index `from`. */
function endOfNine(parts: readonly string[], from: number): number | null {
  let length = 0;
  for (let at = from; at < parts.length && length < BSN_LENGTH; at += 2) {
    length += parts[at]?.length ?? 0;
    if (length === BSN_LENGTH) return at;
  }
  return null;
}

const SECRET_HEADER = /token|secret|password|api-?key|session|auth|credential|signature|jwt/;

export function maskHeaders(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  caller: Caller | undefined,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(headers)) kept[name] = maskHeader(name, values.join(', '), caller);
  return kept;
}

/** Returns the masked value of one request header. `name` is in lower case. */
function maskHeader(name: string, value: string, caller: Caller | undefined): string {
  switch (name) {
    case 'authorization':
    case 'proxy-authorization':
      return value.replace(/^([a-z]{1,20} +)?.+$/is, `$1${HIDDEN}`);
    case 'cookie':
      return HIDDEN;
    case 'x-subject':
    case 'x-medewerker':
      return hideNumbers(value, () => true, shownSubjectOf(caller));
    case 'content-length':
      return value;
    default:
      return SECRET_HEADER.test(name) ? HIDDEN : maskPath(value);
  }
}

/** A subject `bsn-…` was derived from a burgerservicenummer. */
const shownSubjectOf = (caller: Caller | undefined): string =>
  caller === undefined || caller.subject.startsWith('bsn-') ? HIDDEN : caller.subject;

const PARAMETER = /([?&])([^=?&\s]*)=[^&\s]*/g;
const SECRET_PARAMETER = /(token|secret|password|api_?key|jwt)$|^code$/i;

/** Also for a header value. Replaces secrets in query parameters too, and always nine digits in one group. */
export const maskPath = (path: string): string =>
  hideNumbers(
    path.replace(PARAMETER, (all, before: string, name: string) =>
      SECRET_PARAMETER.test(name) ? `${before}${name}=${HIDDEN}` : all,
    ),
    isValidBsnOrWhole,
  );

/** Replaces each nine-digit number that passes the 11-test, as every burgerservicenummer does. */
export const maskText = (text: string): string => hideNumbers(text, isValidBsn);

/** Masks burgerservicenummers in strings and numbers; names of members are not changed. */
export function maskFacts(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'number') return maskText(`${value}`) === `${value}` ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(maskFacts);
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskFacts(one)]));
}
