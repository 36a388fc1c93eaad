import type { DocumentBytes } from '../ports/documents.ts';

/** The answer that a handler returns. Its body is empty when both `body` and `stream` are absent. */
export interface Answer {
  readonly status: number;
  /** An object is sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Bytes from the document store, sent instead of `body`. The connection is reset when there are not `length` bytes.
   */
  readonly stream?: DocumentBytes;
  /** Number of bytes of `stream`, sent as `Content-Length`. For HEAD: the number of bytes that GET would send. */
  readonly length?: number;
}

/** Media type of an answer in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';
/** Media type of a problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Returns an answer with status 200 and `body` as JSON. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/**
 * The specification's 404 answer, without a body: the same for data that do not exist and for data of another owner.
 */
export const notFound: Answer = { status: 404 };
