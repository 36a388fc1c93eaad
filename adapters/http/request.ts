import type * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import type { NotUnderstood } from '../../src/wire/not-understood.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { ANSWER_LIMITS, type AnswerLimits, LONG_ANSWER_LIMITS, parseJson } from './parse.ts';
import { meaningOf } from './refusal.ts';
import { retryAfterSeconds, UpstreamFailure } from './upstream-failure.ts';

/** A client of one upstream that answers in JSON, over HTTP or (in the browser build) within this process. */
export interface JsonClient {
  /**
   * Sends a request and returns its parsed answer, or the result of `request.otherwise` for another status than 200,
   * 201 and 202. Throws `UpstreamError` when there is no usable answer.
   */
  ask<Body, Other = never>(request: JsonRequest<Body, Other>, call: Call): Promise<Body | Other>;
}

/** A request to an upstream. `Other` is the type of the results of its method `otherwise`. */
export interface UpstreamRequest<Other> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Name of the operation, for refusals that are counted for each operation; default the method and the path without
   * query. Needed when the path contains an id.
   */
  readonly operation?: string;
  /** Path that is appended to the upstream's URL. Encode each segment with `pathSegment`. */
  readonly path?: string;
  /** Request body, sent as JSON. */
  readonly body?: unknown;
  /** Request body as a stream of bytes, instead of `body`. It is opened again for a retry. */
  readonly content?: Content;
  /** Request headers, with names in lower case. They replace default headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Returns the result of the call for a status other than 200, 201 and 202; undefined when the call must fail with
   * that status.
   *
   * @param json - the parsed body, or undefined
   */
  otherwise?(status: number, json: unknown, headers: ResponseHeaders): Other | undefined;
  /** How long to wait for the headers of the answer; default `headers`. */
  readonly headersTimeout?: 'headers' | 'submitHeaders' | 'documentHeaders' | 'listHeaders';
  /**
   * True allows one retry after a connection that failed or was closed, or after a 502, 503 or 504. Only for a request
   * that may be executed twice.
   */
  readonly retry?: boolean;
}

/** A request whose answer is JSON with a known schema. */
export interface JsonRequest<Body, Other> extends UpstreamRequest<Other> {
  /** Schema of the body of a 200, 201 or 202. */
  readonly schema: z.ZodType<Body>;
  /**
   * Returns false when a valid answer is about another person or object than the request. The call then fails as
   * `unreadable`.
   */
  check?(body: Body): boolean;
  /** True when the answer can be a long list, so that `LONG_ANSWER_LIMITS` apply to it. */
  readonly isLong?: true;
}

/** Returns the limits of the answer to a request. */
export const limitsOf = ({ isLong }: Pick<JsonRequest<unknown, unknown>, 'isLong'>): AnswerLimits =>
  isLong ? LONG_ANSWER_LIMITS : ANSWER_LIMITS;

/** Headers of an answer, keyed by name in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request body of known length in bytes, as a stream. */
export interface Content {
  readonly type: string;
  readonly length: number;
  /** Returns the chunks of the body. In a chunk that is a string, each character is one byte. */
  bytes(): AsyncIterable<Uint8Array | string>;
}

/**
 * Number of bytes of a content from which a closed connection can mean that it is too large. Many gateways take at most
 * 1 MiB, and some less.
 */
export const LARGE_CONTENT = 512 * 1024;

/** Returns true for 200, 201 and 202: the statuses whose body is the expected answer. */
export const isAnswer = (status: number): boolean => status === 200 || status === 201 || status === 202;

/**
 * Returns the parsed answer to a request, and notes in `context` what was not understood in it. Throws `UpstreamFailure`
 * when it exceeds its limits, does not match the schema, or the request's `check` returns false.
 */
export function parseAnswer<Body, Other>(
  upstream: UpstreamName,
  text: string,
  request: JsonRequest<Body, Other>,
  context: { notUnderstood: readonly NotUnderstood[] | undefined },
): Body {
  const { data, notUnderstood } = parseJson(upstream, text, request.schema, limitsOf(request));
  if (request.check?.(data) === false)
    throw new UpstreamFailure(upstream, 'unreadable', 'about something else', { requestOnly: true });
  if (notUnderstood.length > 0) context.notUnderstood = notUnderstood;
  return data;
}

/**
 * Returns the error for a status that the adapter does not handle itself (docs/reliability.md, "What a status means").
 *
 * @param detail - more about the answer, for the log
 */
export function unexpectedStatus(
  upstream: UpstreamName,
  status: number,
  headers: ResponseHeaders,
  detail = '',
): UpstreamFailure {
  const why = detail === '' ? `status ${status}` : `status ${status}: ${detail}`;
  const { fault, isRetried } = meaningOf(status);
  if (fault === 'unreadable') return new UpstreamFailure(upstream, fault, why, { status });
  return new UpstreamFailure(upstream, fault, why, {
    status,
    retryable: isRetried,
    retryAfter: retryAfterSeconds(headers['retry-after']),
    undone: status < 500,
    tooLarge: status === 413 ? 'certain' : undefined,
  });
}

/** Returns `value` encoded as exactly one path segment, also when it is `..` or contains a slash. */
export const pathSegment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value.toWellFormed());
