import type { Context } from 'koa';

/**
 * The versions that `If-Match` names, or undefined when it asks for none or for any (RFC 9110, 13.1.1). A tag that is not one
 * of ours, and a weak one, names no version.
 */
export function ifMatch(ctx: Context): readonly number[] | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const [, version] = /^"([1-9]\d{0,8})"$/.exec(tag.trim()) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
}
