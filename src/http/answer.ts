import type { DocumentBytes } from '../ports/documents.ts';

/**
 * The answer that a handler returns. Without `body` and `stream` the body is empty, as the specification requires for
 * 204, 404 and the health probes.
 */
export interface Answer {
  readonly status: number;
  /** An object is sent as JSON; a string or bytes are sent unchanged, with the `Content-Type` of `headers`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Bytes from the document store, sent instead of `body`. The connection is reset when the number of bytes is not
   * `length`.
   */
  readonly stream?: DocumentBytes;
  /** Number of bytes of `stream` (for HEAD: of the document that GET would send). It is sent as `Content-Length`. */
  readonly length?: number;
}

/** Returns an answer with status 200 and `body` as JSON. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/**
 * The 404 answer of the specification, without a body. It is the same for data that do not exist and for data of
 * another owner, so that a caller cannot find out which ids exist.
 */
export const notFound: Answer = { status: 404 };
