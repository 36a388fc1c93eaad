import type * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import type { Bron } from '../../src/wire/values.ts';
import { parse } from './parse.ts';
import { retryAfterSeconds, UpstreamFailure } from './upstream-failure.ts';

/** Somebody who can be asked for JSON: over HTTP, or in this very process. */
export interface JsonClient {
  ask<Body, Other = never>(request: JsonRequest<Body, Other>, call: Call): Promise<Body | Other>;
}

/** What every call says. */
export interface UpstreamRequest<Other> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After the path of the upstream's URL; segments encoded by `segment`. */
  readonly path?: string;
  /** JSON. */
  readonly body?: unknown;
  /** Instead of `body`: bytes that come from elsewhere, made anew for every attempt. */
  readonly content?: Content;
  /** In lower case; these win over the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What any other status than 200, 201 and 202 means, with its JSON where it has any; undefined: it is no answer. */
  otherwise?(status: number, json: unknown, headers: ResponseHeaders): Other | undefined;
  /** Milliseconds to wait for the answer to begin, where the usual 1,500 would give up on work that is being done. */
  readonly headersTimeout?: number;
  /** One more try on a connection that failed or a 502, 503, 504. For what may be done twice. */
  readonly retry?: boolean;
}

export interface JsonRequest<Body, Other> extends UpstreamRequest<Other> {
  /** What a 200, 201 or 202 must look like. */
  readonly schema: z.ZodType<Body>;
  /** Whether a well-formed answer is about what was asked; if not, it is no answer. */
  check?(body: Body): boolean;
}

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A body of a known length, which may be too large to hold. */
export interface Content {
  readonly type: string;
  readonly length: number;
  /** Pieces of it; a text has one byte a character. */
  bytes(): AsyncIterable<Uint8Array | string>;
}

/** Milliseconds until an answer begins, where a question does not say otherwise. */
export const HEADERS_TIMEOUT = 1_500;
/** Milliseconds that an answer may stand still: less for what is checked as a whole than for what is read as it comes. */
export const BODY_TIMEOUT = { json: 1_500, stream: 10_000 };

/** Whether a status brings the answer itself. */
export const isAnswer = (status: number): boolean => status === 200 || status === 201 || status === 202;

/** An answer of the agreed shape that is about what was asked, or none. */
export function parseAnswer<Body, Other>(bron: Bron, text: string, { schema, check }: JsonRequest<Body, Other>): Body {
  const answer = parse(bron, text, schema);
  if (check?.(answer) === false)
    throw new UpstreamFailure(bron, 'unreadable', 'about something else', { requestOnly: true });
  return answer;
}

/** A status that nobody gave a meaning to. */
export function unexpectedStatus(bron: Bron, status: number, headers: ResponseHeaders): UpstreamFailure {
  if (status < 400) return new UpstreamFailure(bron, 'unreadable', `status ${status}`, { status });
  return new UpstreamFailure(bron, 'unavailable', `status ${status}`, {
    status,
    retryable: status >= 502 && status <= 504,
    retryAfter: retryAfterSeconds(headers['retry-after']),
    undone: status < 500,
  });
}

/** What a 404 means, where it is an answer: `otherwise: ifNotFound(null)`. */
export const ifNotFound =
  <Other>(value: Other) =>
  (status: number): Other | undefined =>
    status === 404 ? value : undefined;

/** The upstream has read what was sent and will not have it; every other 4xx is about how it was sent. */
export const ifRefused =
  <Other>(value: Other) =>
  (status: number): Other | undefined =>
    status === 400 || status === 409 || status === 422 ? value : undefined;

/** One segment of a path. Whatever it holds, it stays one segment. */
export const segment = (value: string): string =>
  value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value.toWellFormed());
