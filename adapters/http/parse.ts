import type * as z from 'zod';
import type { UpstreamName } from '../../src/wire/values.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/**
 * Returns the JSON in an upstream's answer, parsed by `schema`. Throws `UpstreamFailure` `unreadable` when it is not
 * JSON or does not match. The message is logged, so it contains the paths of wrong members but never their values.
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
  const where = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `/${issue.path.join('/')} ${issue.code === 'custom' ? issue.message : issue.code}`);
  throw new UpstreamFailure(upstream, 'unreadable', `not the agreed shape at ${where.join(', ')}`, {
    requestOnly: true,
  });
}
