import type { Context } from 'koa';

/** Matches no version that there is. */
const NEVER = 0;

/**
 * The version that `If-Match` asks for, or undefined when it asks for none or for any (RFC 9110, 13.1.1). A tag that is not
 * one of ours, a weak one or a list in which ours cannot be told apart matches nothing.
 */
export function ifMatch(ctx: Context): number | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  const [, version] = /^"(\d{1,9})"$/.exec(header) ?? [];
  return version === undefined ? NEVER : Number(version);
}
