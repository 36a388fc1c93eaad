import type * as z from 'zod';
import type { UpstreamName } from '../../src/wire/values.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/**
 * Returns the JSON in an upstream's answer, parsed by `schema`. Throws `UpstreamFailure` `unreadable` when it is not
 * JSON or does not match. The message has the paths of wrong members, but never their values, because it is logged.
 */
export function parseJson<Body>(upstream: UpstreamName, text: string, schema: z.ZodType<Body>): Body {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UpstreamFailure(upstream, 'unreadable', 'not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 5).map((issue) => `/${issue.path.join('/')} (${differenceOf(issue)})`);
  throw new UpstreamFailure(upstream, 'unreadable', `not the agreed shape at ${where.join(', ')}`, {
    requestOnly: true,
  });
}

/** Returns the value of a JSON text; undefined when it is not valid JSON, and for undefined. */
export function parseJsonOrUndefined(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Codes of zod issues whose message has only types and values of the schema, and nothing of the answer. */
const SAFE_ISSUE_CODES = new Set(['custom', 'invalid_type', 'invalid_value', 'too_big', 'too_small']);
/** Maximum number of characters that are logged about one wrong member. */
const MAX_DIFFERENCE = 120;

/** Returns what is wrong with a member, for example "expected number, received string"; never its value. */
function differenceOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return 'members that were not agreed on';
  if (code === 'invalid_format') return 'another format';
  if (code === 'invalid_union') return 'none of the agreed kinds';
  return SAFE_ISSUE_CODES.has(code) ? message.replace(/^Invalid \w+: /, '').slice(0, MAX_DIFFERENCE) : code;
}
