import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import type { Caller } from '../auth/identity.ts';
import type { Decision } from '../domain/rule.ts';
import type { CallRecord } from '../ports/call.ts';
import type { TracedStep } from '../ports/tracing.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Trace } from './trace.ts';

/**
 * State of one request (Koa's `ctx.state`), for its log line and for its entry in the simulator's journal (list of
 * recorded requests).
 */
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
   * Reasons of the decisions in this request, in the order in which they were made, for the simulator's journal (list
   * of recorded requests); undefined when there is no journal.
   */
  decisions?: Decision[];
  /** The steps of this request for distributed tracing; undefined when the request is not traced. */
  steps?: TracedStep[];
  /**
   * The JSON text of the request body, for the simulator's journal (list of recorded requests); undefined when none was
   * read.
   */
  sent?: string;
  /** Summary of a multipart request body, for the simulator's journal (list of recorded requests). */
  form?: SentForm;
  /** Headers of the answer, also when it becomes a problem. They are complete when the answer has started. */
  headers: Record<string, string>;
  /** The text of the answer's body, for the simulator's journal (list of recorded requests). */
  answered?: string;
}

/** The members of an operation that the request log and the simulator's journal (list of recorded requests) use. */
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
 * journal (list of recorded requests).
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
