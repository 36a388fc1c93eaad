import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import type { Caller, IncomingRequest } from '../auth/identity.ts';
import type { Decision } from '../domain/rule.ts';
import type { CallRecord } from '../ports/call.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { TracedStep } from '../ports/tracing.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Trace } from './trace.ts';

/**
 * An HTTP request and its answer, as operations use them: Koa's context on the server, or a plain object in the browser
 * build (which has no server).
 */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Values of the path parameters, keyed by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string of the URL, without the question mark and not decoded. */
  readonly querystring: string;
  readonly req: IncomingRequest;
  readonly state: RequestState;
  /** Returns the value of a request header; an empty string when the header is absent. */
  get(name: string): string;
}

/** How the sending of a stream ended. Only after `complete` has the whole document been sent. */
export type StreamEnd = 'complete' | 'client-left' | 'failed';

/** The functions that differ between the server (Koa) and the browser build. */
export interface Transport<Http extends Exchange> {
  /**
   * Reads the bytes of the JSON request body, of at most `MAX_BODY` bytes (256 KiB). Throws when that fails, for example
   * 408 for a late body or 413 for one that is too large.
   */
  readJsonBody(http: Http): Promise<Uint8Array>;
  /** Sends `bytes` with the status and headers of `answer`, and returns how that ended. Never rejects. */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<StreamEnd>;
  /**
   * Calls `listener` when the client disconnects before its answer is complete; at once when it has already
   * disconnected. Returns a function that removes the listener.
   */
  onDisconnect(http: Http, listener: () => void): () => void;
}

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

/** State of one request (Koa's `ctx.state`), for its log line and for its entry in the simulator's journal. */
export interface RequestState {
  trace: Trace;
  /** The matched operation; undefined for an unknown path or method. */
  operation?: HandledOperation;
  caller?: Caller;
  /** The request's slot: its permission to be in progress. Undefined for health probes. */
  slot?: RequestSlot;
  /** The upstream calls of this request, sorted by the time at which they ended. */
  upstream: CallRecord[];
  /** Code of the problem that was sent; undefined when the answer is not a problem. */
  problem?: string;
  /** True for requests of the development pages: their log line has level `debug`. */
  quiet?: true;
  /** Reason of a failure for the log, when the answer does not contain it. Never contains personal data. */
  reason?: string;
  /** What a refused token has, as names and kinds without values, for the log. */
  found?: string;
  /** True when the service broke off its answer after the start, because the bytes of a document did not arrive. */
  isBrokenOff?: true;
  /** The internal error, for the log; never sent. */
  error?: unknown;
  /**
   * Reasons of the decisions in this request, in the order in which they were made, for the simulator's journal;
   * undefined when there is no journal.
   */
  decisions?: Decision[];
  /** The steps of this request for distributed tracing; undefined when the request is not traced. */
  steps?: TracedStep[];
  /** The JSON text of the request body, for the simulator's journal; undefined when none was read. */
  sent?: string;
  /** Summary of a multipart request body, for the simulator's journal. */
  form?: SentForm;
  /** Headers of the answer, also when it becomes a problem. They are complete when the answer has started. */
  headers: Record<string, string>;
  /** The text of the answer's body, for the simulator's journal. */
  answered?: string;
}

/** The members of an operation that the request log and the simulator's journal use. */
interface HandledOperation {
  readonly id: string;
  /** Schemas of the answers that are not problems, keyed by status; null for an answer without a body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Media types of a 200 answer whose body is a document, not JSON. */
  readonly media?: readonly string[];
  /** The upstreams that the operation calls. */
  readonly upstreams?: readonly UpstreamName[];
}

/** A slot: the permission to be one of the limited number of requests in progress. */
export interface RequestSlot {
  /** Releases the slot. A second call does nothing. */
  leave(): void;
  /**
   * Releases the slot while `wait` runs, and returns the result of `wait`. Takes a slot again afterwards, even when all
   * slots are then in use (reliability.md, "Overload").
   */
  releaseDuring<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/**
 * Summary of a multipart request body. The value of a field is null when it may not be stored in the simulator's
 * journal.
 */
export interface SentForm {
  readonly fields: Readonly<Record<string, string | null>>;
  /**
   * The file in the body; null until it arrives. `size` is in bytes, and null when the file did not arrive completely.
   */
  readonly file: { readonly name: string; readonly size: number | null } | null;
}

/** Koa's context with the state of this service. */
export type Context = ParameterizedContext<RequestState>;
/** Koa's function that runs the next middleware. */
export type Next = () => Promise<unknown>;
