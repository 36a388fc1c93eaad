import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/identity.ts';

/** A burgerservicenummer, or what could be one; nine digits of an id or of a hash are none. */
const NINE_DIGITS =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?<![\da-f])[\da-f]{16,}(?![\da-f])|(?<!\d)\d{9}(?!\d)/gi;
const withoutNumbers = (text: string, hidden = HIDDEN): string =>
  text.replace(NINE_DIGITS, (found) => (found.length === 9 ? hidden : found));
/** As people write theirs. */
const IN_GROUPS = /(?<!\d)\d(?:[ .]?\d){8}(?!\d)/g;
const HIDDEN = '…';
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
      return withoutNumbers(value, nameOf(caller)).replace(IN_GROUPS, HIDDEN);
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
  );

/** The same text without the burgerservicenummers in it: what passes the 11-test, so that most other numbers stay. */
export const maskedText = (text: string): string =>
  text.replace(NINE_DIGITS, (found) => (found.length === 9 && passes(found) ? HIDDEN : found));

const passes = (nine: string): boolean =>
  [...nine].reduce((sum, digit, index) => sum + Number(digit) * (index === 8 ? -1 : 9 - index), 0) % 11 === 0;

/** Facts without the burgerservicenummers in them. */
export function maskedFacts(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number') return maskedText(`${value}`) === `${value}` ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(maskedFacts);
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskedFacts(one)]));
}
