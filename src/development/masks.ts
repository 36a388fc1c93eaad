import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/identity.ts';
import { passesElfproef } from '../domain/elfproef.ts';

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

/** A token does not belong in a URL, and is put there all the same. */
const TOKEN = /([?&](?:[^=&\s]*(?:token|secret|password|api_?key|jwt)|code)=)[^&\s]*/gi;

export const maskedPath = (path: string): string => withoutNumbers(path.replace(TOKEN, `$1${HIDDEN}`));

/** The same text without the burgerservicenummers in it: what passes the 11-test, so that most other numbers stay. */
export const maskedText = (text: string): string =>
  text.replace(NINE_DIGITS, (found) => (found.length === 9 && passesElfproef(found) ? HIDDEN : found));

/** Facts without the burgerservicenummers in them. */
export function maskedFacts(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number') return maskedText(`${value}`) === `${value}` ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(maskedFacts);
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskedFacts(one)]));
}
