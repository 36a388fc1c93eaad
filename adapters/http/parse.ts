import type * as z from 'zod';
import { isTooComplex, JSON_LIMITS, type NotUnderstood } from '../../src/wire/json.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { understand } from './tolerant.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface AnswerLimits {
  /** After decompression. */
  readonly bytes: number;
  /** Objects and lists within each other. */
  readonly depth: number;
  /** Counted as in `JsonLimits`. */
  readonly values: number;
}

const KIB = 1024;
const { depth } = JSON_LIMITS;
/** Reading more would block the event loop for all requests. */
export const ANSWER_LIMITS: AnswerLimits = { bytes: 512 * KIB, depth, values: 20_000 };
/** For a list that can be long, such as 10,000 cases. */
export const LONG_ANSWER_LIMITS: AnswerLimits = { bytes: 2_048 * KIB, depth, values: 150_000 };

/**
 * Returns the JSON in an answer, parsed by `schema`, and what was not understood in it. Throws `UpstreamFailure`
 * `unreadable` when it is not JSON, exceeds `limits` or does not match. The message, which is logged, has the paths of
 * wrong members, never their values.
 */
export function parseJson<Body>(
  upstream: UpstreamName,
  text: string,
  schema: z.ZodType<Body>,
  limits = ANSWER_LIMITS,
): { readonly data: Body; readonly notUnderstood: readonly NotUnderstood[] } {
  if (isTooComplex(text, limits))
    throw new UpstreamFailure(upstream, 'unreadable', 'nested too deep, or too many values');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UpstreamFailure(upstream, 'unreadable', 'not JSON');
  }
  const parsed = understand(schema, json);
  if (parsed.success) return parsed;
  const where = parsed.issues.slice(0, 5).map((issue) => `/${issue.path.join('/')} (${differenceOf(issue)})`);
  throw new UpstreamFailure(upstream, 'unreadable', `not the agreed shape at ${where.join(', ')}`, {
    requestOnly: true,
  });
}

/** Undefined when the text is not JSON or exceeds `ANSWER_LIMITS`. */
export function parseJsonOrUndefined(text: string | undefined): unknown {
  try {
    return text === undefined || isTooComplex(text, ANSWER_LIMITS) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Their messages have only types and values of the schema, and nothing of the answer.
const SAFE_ISSUE_CODES = new Set(['custom', 'invalid_type', 'invalid_value', 'too_big', 'too_small']);
const MAX_DIFFERENCE = 120;

// Never the value.
function differenceOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return 'members that were not agreed on';
  if (code === 'invalid_format') return 'another format';
  if (code === 'invalid_union') return 'none of the agreed kinds';
  return SAFE_ISSUE_CODES.has(code) ? message.replace(/^Invalid \w+: /, '').slice(0, MAX_DIFFERENCE) : code;
}
