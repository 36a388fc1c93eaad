import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/identity.ts';

/** A burgerservicenummer, or what could be one. */
const NINE_DIGITS = /(?<!\d)\d{9}(?!\d)/g;
const HIDDEN = '…';
/** Headers that are no part of the contract, by which proxies and habits send secrets. */
const SECRET = /token|secret|password|api-?key|session/;

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
      return value.replace(NINE_DIGITS, nameOf(caller));
    default:
      if (SECRET.test(name)) return HIDDEN;
      return name.startsWith('x-') ? value.replace(NINE_DIGITS, HIDDEN) : value;
  }
}

/** Who has no other name than a hash of their number is not to be called by it. */
const nameOf = (caller: Caller | undefined): string =>
  caller === undefined || caller.subject.startsWith('bsn-') ? HIDDEN : caller.subject;

/** A token does not belong in a URL, and is put there all the same. */
const TOKEN = /([?&][^=&]*token=)[^&]*/gi;

export const maskedPath = (path: string): string => path.replace(TOKEN, `$1${HIDDEN}`).replace(NINE_DIGITS, HIDDEN);
