import type * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import { isTooComplex, JSON_LIMITS, type NotUnderstood } from '../../src/wire/json.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { understand } from './tolerant.ts';
import { meaningOf, retryAfterSeconds, UpstreamFailure } from './upstream-failure.ts';

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
const LONG_ANSWER_LIMITS: AnswerLimits = { bytes: 2_048 * KIB, depth, values: 150_000 };

/** A client of an upstream that answers in JSON, over HTTP or (in the browser build) within this process. */
export interface JsonClient {
  /**
   * Returns the parsed answer, or the result of `request.otherwise` for another status than 200, 201 and 202. Throws
   * `UpstreamError` when there is no usable answer.
   */
  ask<Body, Other = never>(request: JsonRequest<Body, Other>, call: Call): Promise<Body | Other>;
}

export interface UpstreamRequest<Other> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * For refusals that are counted for each operation; default the method and the path without query. Needed when the
   * path contains an id.
   */
  readonly operation?: string;
  /** Path that is appended to the upstream's URL. Encode each segment with `pathSegment`. */
  readonly path?: string;
  readonly body?: unknown;
  /** Request body as a stream of bytes, instead of `body`. It is opened again for a retry. */
  readonly content?: Content;
  /** Names in lower case. They replace default headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Returns the result for a status other than 200, 201 and 202; undefined when the call must fail with that status.
   */
  otherwise?(status: number, json: unknown, headers: ResponseHeaders): Other | undefined;
  /** Default `headers`. */
  readonly headersTimeout?: 'headers' | 'submitHeaders' | 'documentHeaders';
  /**
   * Allows one retry after a connection that failed or was closed, or after a 408, 502, 503 or 504. Only for a request that
   * may be executed twice.
   */
  readonly retry?: boolean;
}

export interface JsonRequest<Body, Other> extends UpstreamRequest<Other> {
  readonly schema: z.ZodType<Body>;
  /** False when a valid answer is about another person or object than the request: the call fails as `unreadable`. */
  check?(body: Body): boolean;
  /** `LONG_ANSWER_LIMITS` apply. */
  readonly isLong?: true;
}

export const limitsOf = ({ isLong }: Pick<JsonRequest<unknown, unknown>, 'isLong'>): AnswerLimits =>
  isLong ? LONG_ANSWER_LIMITS : ANSWER_LIMITS;

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request body of known length in bytes. */
export interface Content {
  readonly type: string;
  readonly length: number;
  /** In a chunk that is a string, each character is one byte. */
  bytes(): AsyncIterable<Uint8Array | string>;
}

/** Bytes from which a closed connection can mean that a content is too large. Many gateways take 1 MiB, some less. */
export const LARGE_CONTENT = 512 * 1024;

export const isAnswer = (status: number): boolean => status === 200 || status === 201 || status === 202;

/**
 * Returns the JSON of an answer, parsed by the schema of the request, and notes in `context` what was not understood.
 * Throws `UpstreamFailure` `unreadable` when it is not JSON, exceeds its limits, does not match, or the request's `check`
 * returns false. The message, which is logged, has the paths of wrong members, never their values.
 */
export function parseAnswer<Body, Other>(
  upstream: UpstreamName,
  text: string,
  request: JsonRequest<Body, Other>,
  context: { notUnderstood: readonly NotUnderstood[] | undefined },
): Body {
  const unreadable = (why: string, requestOnly = false) =>
    new UpstreamFailure(upstream, 'unreadable', why, { requestOnly });
  if (isTooComplex(text, limitsOf(request))) throw unreadable('nested too deep, or too many values');
  let json: unknown;
  try {
    json = JSON.parse(text, NOT_TEXT.test(text) ? asText : undefined);
  } catch {
    throw unreadable(inWords(text));
  }
  const parsed = understand(request.schema, json);
  if (!parsed.success) {
    throw unreadable(`not the agreed shape at ${differencesIn(parsed.issues)}`, true);
  }
  const { data, notUnderstood } = parsed;
  if (request.check?.(data) === false) throw unreadable('about something else', true);
  if (notUnderstood.length > 0) context.notUnderstood = notUnderstood;
  return data;
}

// Describes a text that is not JSON.
function inWords(text: string): string {
  const body = text.trimStart();
  if (body === '') return 'an empty body';
  return body.startsWith('<') ? 'not JSON, but a page or XML' : 'not JSON';
}

// The escape of NUL, or of a half of a surrogate pair: databases and many JSON parsers refuse both.
const NOT_TEXT = /\\u(?:0000|d[89a-f])/i;

// Returns a text without NUL, and with U+FFFD in place of each half of a surrogate pair without its other half.
const asText = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

/** Undefined when the text is not JSON or exceeds `ANSWER_LIMITS`. */
export function parseJsonOrUndefined(text: string | undefined): unknown {
  try {
    return text === undefined || isTooComplex(text, ANSWER_LIMITS) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the paths of the first wrong members and what is wrong with each, for the log: never a value. */
export const differencesIn = (issues: readonly z.core.$ZodIssue[]): string =>
  issues
    .slice(0, 5)
    .map((issue) => `/${issue.path.join('/')} (${differenceOf(issue)})`)
    .join(', ');

// Their messages have only types and values of the schema, and nothing of the answer.
const SAFE_ISSUE_CODES = new Set(['custom', 'invalid_type', 'invalid_value', 'too_big', 'too_small']);
const MAX_DIFFERENCE = 120;

// Describes the difference, and never has the value.
function differenceOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return 'members that were not agreed on';
  if (code === 'invalid_format') return 'another format';
  if (code === 'invalid_union') return 'none of the agreed kinds';
  return SAFE_ISSUE_CODES.has(code) ? message.replace(/^Invalid \w+: /, '').slice(0, MAX_DIFFERENCE) : code;
}

// RFC 6750, 3.1. Many gateways that refuse a token say why in this header only.
const BEARER_ERROR = /\berror="?(invalid_request|invalid_token|insufficient_scope)\b/;

/**
 * The error for a status that the adapter does not handle (docs/reliability.md, "What a status means").
 *
 * @param detail - for the log
 */
export function unexpectedStatus(
  upstream: UpstreamName,
  status: number,
  headers: ResponseHeaders,
  detail = '',
): UpstreamFailure {
  const reason = detail || BEARER_ERROR.exec(String(headers['www-authenticate']))?.[1];
  const why = reason === undefined ? `status ${status}` : `status ${status}: ${reason}`;
  const { fault, isRetried } = meaningOf(status);
  if (fault === 'unreadable') return new UpstreamFailure(upstream, fault, why, { status });
  return new UpstreamFailure(upstream, fault, why, {
    status,
    retryable: isRetried,
    retryAfter: retryAfterSeconds(headers['retry-after']),
    // After 408 or 409 a gateway may have sent the call before this answer, or twice.
    undone: status < 500 && status !== 408 && status !== 409,
    tooLarge: status === 413 ? 'certain' : undefined,
  });
}

/** Encodes `value` as exactly one path segment, also when it is `..` or contains a slash. */
export const pathSegment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value.toWellFormed());
