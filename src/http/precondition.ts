import type { Exchange } from './exchange.ts';

/** The tags that `If-Match` names, or undefined when it asks for none or for any (RFC 9110, 13.1.1). A weak one never matches. */
export function ifMatchTags(http: Exchange): readonly string[] | undefined {
  const header = http.get('If-Match').trim();
  return header === '' || header === '*' ? undefined : header.split(',').map((tag) => tag.trim());
}

/** The same for tags that are version numbers. What is not one of ours names no version. */
export const ifMatch = (http: Exchange): readonly number[] | undefined =>
  ifMatchTags(http)?.flatMap((tag) => {
    const [, version] = /^"([1-9]\d{0,8})"$/.exec(tag) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
