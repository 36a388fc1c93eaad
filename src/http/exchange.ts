import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import type { Caller, IncomingRequest } from '../auth/identity.ts';
import type { Decision } from '../domain/rule.ts';
import type { CallRecord } from '../ports/call.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { TracedStep } from '../ports/tracing.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Trace } from './trace.ts';

/** An HTTP request and its answer: Koa's context on the server, a plain object in the browser build. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Values of the path parameters, keyed by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Without the question mark and not decoded. */
  readonly querystring: string;
  readonly req: IncomingRequest;
  readonly state: RequestState;
  /** An empty string when the header is absent. */
  get(name: string): string;
}

/** Only after `complete` has the whole document been sent. */
export type StreamEnd = 'complete' | 'client-left' | 'failed';

/** What differs between the server (Koa) and the browser build. */
export interface Transport<Http extends Exchange> {
  /** At most `MAX_BODY` bytes. Throws for example 408 for a late body or 413 for one that is too large. */
  readJsonBody(http: Http): Promise<Uint8Array>;
  /** Returns how the sending ended. Never rejects. */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<StreamEnd>;
  /**
   * Calls `listener` when the client disconnects before its answer is complete, or has done so. Returns a function that
   * removes it.
   */
  onDisconnect(http: Http, listener: () => void): () => void;
}

/** Its body is empty when both `body` and `stream` are absent. */
export interface Answer {
  readonly status: number;
  /** An object is sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of `body`. The connection is reset when there are not `length` bytes. */
  readonly stream?: DocumentBytes;
  /** Bytes of `stream`, sent as `Content-Length`. For HEAD: those that GET would send. */
  readonly length?: number;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** Without a body: the same for data that do not exist and for data of another owner. */
export const notFound: Answer = { status: 404 };

/** Koa's `ctx.state`, for the log line and the journal. */
export interface RequestState {
  trace: Trace;
  /** Undefined for an unknown path or method. */
  operation?: HandledOperation;
  caller?: Caller;
  /** Undefined for health probes. */
  slot?: RequestSlot;
  /** Sorted by the time at which they ended. */
  upstream: CallRecord[];
  /** Code of the problem that was sent; undefined when none was. */
  problem?: string;
  /** For the development pages: their log line has level `debug`. */
  quiet?: true;
  /** Why it failed, for the log, when the answer does not say so. Never personal data. */
  reason?: string;
  /** What a refused token has, as names and kinds without values, for the log. */
  found?: string;
  /** The service broke off its answer, because the bytes of a document did not arrive. */
  isBrokenOff?: true;
  /** For the log; never sent. */
  error?: unknown;
  /** Decisions in the order in which they were made; undefined when there is no journal. */
  decisions?: Decision[];
  /** Undefined when the request is not traced. */
  steps?: TracedStep[];
  /** The JSON text of the body, for the journal; undefined when none was read. */
  sent?: string;
  /** For the journal. */
  form?: SentForm;
  /** Also when it becomes a problem. They are complete when the answer has started. */
  headers: Record<string, string>;
  /** The text of the answer's body, for the journal. */
  answered?: string;
}

interface HandledOperation {
  readonly id: string;
  // Not of problems. Null for an answer without a body.
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  // Media types of a 200 whose body is a document, not JSON.
  readonly media?: readonly string[];
  readonly upstreams?: readonly UpstreamName[];
}

export interface RequestSlot {
  /** A second call does nothing. */
  leave(): void;
  /**
   * Releases the slot while `wait` runs. Takes one again afterwards, even when all are then in use (reliability.md,
   * "Overload").
   */
  releaseDuring<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/** The value of a field is null when the journal may not have it. */
export interface SentForm {
  readonly fields: Readonly<Record<string, string | null>>;
  /** Null until it arrives. `size` is in bytes, and null when the file did not arrive completely. */
  readonly file: { readonly name: string; readonly size: number | null } | null;
}

export type Context = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;
