import type { Exchange } from './exchange.ts';

/**
 * Returns the ETags in `If-Match` (RFC 9110, 13.1.1); undefined when the header is absent or `*`. A weak ETag never
 * matches.
 */
export function ifMatchTags(http: Exchange): readonly string[] | undefined {
  const header = http.get('If-Match').trim();
  return header === '' || header === '*' ? undefined : header.split(',').map((tag) => tag.trim());
}

/**
 * Returns the version numbers in `If-Match`, for ETags that are versions; undefined as above. Other ETags are left out.
 */
export const ifMatch = (http: Exchange): readonly number[] | undefined =>
  ifMatchTags(http)?.flatMap((tag) => {
    const [, version] = /^"([1-9]\d{0,8})"$/.exec(tag) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
