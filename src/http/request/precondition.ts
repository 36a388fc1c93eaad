import type { Exchange } from '../exchange.ts';

/**
 * The ETags in `If-Match` (RFC 9110, 13.1.1), with their quotes. Undefined, which means no precondition, when the
 * header is absent, empty or `*`.
 */
export function ifMatchTags(http: Exchange): readonly string[] | undefined {
  const header = http.get('If-Match').trim();
  return header === '' || header === '*' ? undefined : header.split(',').map((tag) => tag.trim());
}

/**
 * The versions in `If-Match`, for a resource whose ETag is its version (`"3"`). Other ETags are left out: with an empty
 * list no version matches. Undefined means no precondition, as in `ifMatchTags`.
 */
export const ifMatch = (http: Exchange): readonly number[] | undefined =>
  ifMatchTags(http)?.flatMap((tag) => {
    const [, version] = /^"([1-9]\d{0,8})"$/.exec(tag) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
