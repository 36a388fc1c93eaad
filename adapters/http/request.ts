import type * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { parseJson } from './parse.ts';
import { retryAfterSeconds, UpstreamFailure } from './upstream-failure.ts';

/** A client of one upstream that answers in JSON, over HTTP or within this process (`browser`). */
export interface JsonClient {
  /** Returns the parsed answer, or what `otherwise` returns for another status. Throws `UpstreamError`. */
  ask<Body, Other = never>(request: JsonRequest<Body, Other>, call: Call): Promise<Body | Other>;
}

/** A request to an upstream. `Other` is what `otherwise` may return. */
export interface UpstreamRequest<Other> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the path of the upstream's URL; every segment is encoded by `pathSegment`. */
  readonly path?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Instead of `body`: a stream of bytes, which is opened again for every attempt. */
  readonly content?: Content;
  /** Names in lower case. These override the default headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Returns the meaning of a status other than 200, 201 and 202; `json` is undefined when there is none. Undefined: it
   * is a failure.
   */
  otherwise?(status: number, json: unknown, headers: ResponseHeaders): Other | undefined;
  /**
   * Milliseconds to wait for the headers of the answer; default 1,500. Longer for work that takes the upstream longer.
   */
  readonly headersTimeout?: number;
  /** True: one retry after a failed connection or a 502, 503 or 504. Only for a request that may be done twice. */
  readonly retry?: boolean;
}

/** A request whose answer is JSON of a known shape. */
export interface JsonRequest<Body, Other> extends UpstreamRequest<Other> {
  /** Shape of the body of a 200, 201 or 202. */
  readonly schema: z.ZodType<Body>;
  /**
   * Returns false when a valid answer is about another subject than the request; the call then fails as `unreadable`.
   */
  check?(body: Body): boolean;
}

/** Headers of an answer; names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request body of known length in bytes, which may be too large for memory. */
export interface Content {
  readonly type: string;
  readonly length: number;
  /** Returns its chunks. A chunk that is a string has one byte per character. */
  bytes(): AsyncIterable<Uint8Array | string>;
}

/** Milliseconds to wait for the headers of an answer, unless the request sets its own timeout. */
export const HEADERS_TIMEOUT = 1_500;
/** Milliseconds between two chunks of a body, at most: `json` for an answer that is parsed, `stream` for a download. */
export const BODY_TIMEOUT = { json: 1_500, stream: 10_000 };

/** True when a response with this status has the answer in its body. */
export const isAnswer = (status: number): boolean => status === 200 || status === 201 || status === 202;

/** Returns the parsed answer. Throws `UpstreamFailure` when it has the wrong shape or fails the request's `check`. */
export function parseAnswer<Body, Other>(
  upstream: UpstreamName,
  text: string,
  { schema, check }: JsonRequest<Body, Other>,
): Body {
  const answer = parseJson(upstream, text, schema);
  if (check?.(answer) === false)
    throw new UpstreamFailure(upstream, 'unreadable', 'about something else', { requestOnly: true });
  return answer;
}

/** Returns the failure for a status to which the request gives no meaning. */
export function unexpectedStatus(upstream: UpstreamName, status: number, headers: ResponseHeaders): UpstreamFailure {
  if (status < 400) return new UpstreamFailure(upstream, 'unreadable', `status ${status}`, { status });
  return new UpstreamFailure(upstream, 'unavailable', `status ${status}`, {
    status,
    retryable: status >= 502 && status <= 504,
    retryAfter: retryAfterSeconds(headers['retry-after']),
    undone: status < 500,
  });
}

/** Makes an `otherwise` that returns `value` for a 404: `otherwise: ifNotFound(null)`. */
export const ifNotFound =
  <Other>(value: Other) =>
  (status: number): Other | undefined =>
    status === 404 ? value : undefined;

/**
 * Makes an `otherwise` that returns `value` when the upstream rejects the content (400, 409, 422). Other 4xx are
 * failures.
 */
export const ifRefused =
  <Other>(value: Other) =>
  (status: number): Other | undefined =>
    status === 400 || status === 409 || status === 422 ? value : undefined;

/** Returns `value` encoded as exactly one segment of a path, also when it is `..` or contains a slash. */
export const pathSegment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value.toWellFormed());
