import type { DocumentBytes } from '../ports/documents.ts';

/**
 * The answer of a handler. Without `body` the body is empty, as the specification has it for 204, 404 and the health
 * probes.
 */
export interface Answer {
  readonly status: number;
  /** An object is sent as JSON; a string or bytes are sent unchanged, with the `Content-Type` of `headers`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sent instead of `body`: exactly `length` bytes from the document store; with another number the connection is
   * reset.
   */
  readonly stream?: DocumentBytes;
  readonly length?: number;
}

/** Returns a 200 with a JSON body. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/** The 404 of the specification: without a body, the same for data that do not exist and data of another owner. */
export const notFound: Answer = { status: 404 };
