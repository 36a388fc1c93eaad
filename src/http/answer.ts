import type { DocumentBytes } from '../ports/documents.ts';

/** What a handler gives back. No `body` means an empty one, as the specification has it for 204, 404 and the health probes. */
export interface Answer {
  readonly status: number;
  /** An object goes out as JSON; a string or bytes as they are, with the type that `headers` tells. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of a body: bytes that come from elsewhere, exactly `length` of them, or the connection is cut. */
  readonly stream?: DocumentBytes;
  readonly length?: number;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** 404 as the specification has it: without a body, and the same for what is not there and what is not yours. */
export const notFound: Answer = { status: 404 };
