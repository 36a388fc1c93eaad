import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import type { Caller } from '../auth/identity.ts';
import type { OperationId } from '../auth/policy.ts';
import type { DecisionReason } from '../domain/rule.ts';
import type { CallRecord } from '../ports/call.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Trace } from './trace.ts';

/** State of one request (Koa's `ctx.state`), from which the log line and the journal entry are written. */
export interface RequestState {
  trace: Trace;
  /** The matched operation; undefined for an unknown path or method. */
  operation?: HandledOperation;
  caller?: Caller;
  /** Its slot among the requests in flight; undefined for health probes. */
  place?: RequestSlot;
  /** The upstream calls made for it, in the order in which they ended. */
  upstream: CallRecord[];
  /** Code of the problem that was sent. */
  problem?: string;
  /** True for requests of the development pages, which are logged at level `debug`. */
  quiet?: true;
  /** Reason for the log, when the answer does not contain it. Never contains personal data. */
  reason?: string;
  /** The internal error, for the log; never sent. */
  error?: unknown;
  /** Reasons of the decisions, for the journal of the simulator; undefined without a journal (`http/decisions.ts`). */
  why?: DecisionReason[];
  /** The complete JSON text of the request body. */
  sent?: string;
  /**
   * Summary of a multipart body for the journal: values of known fields, names of the others, and no content of the
   * file.
   */
  form?: SentForm;
  /** The text of an answer that is sent as a stream. */
  said?: string;
}

/** The members of an operation that the log and the journal use. */
interface HandledOperation {
  readonly id: OperationId;
  /** Schema of each answer that is not a problem, by status; null when it has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Media types of a 200 that is a document instead of JSON. */
  readonly media?: readonly string[];
  /** The upstreams that the operation calls. */
  readonly upstreams?: readonly UpstreamName[];
}

/** A slot of one request among those that are handled at the same time. */
export interface RequestSlot {
  /** Releases the slot. A second call does nothing. */
  leave(): void;
  /** Releases the slot while `wait` runs, for waiting on the client, and takes it again afterwards. */
  aside<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/** Summary of a multipart body. The value of a field is null when it may not be stored in the journal. */
export interface SentForm {
  readonly fields: Readonly<Record<string, string | null>>;
  /** `size` in bytes; null when the file did not arrive completely. */
  readonly file: { readonly name: string; readonly size: number | null } | null;
}

/** Koa's context with the state of this service. */
export type Context = ParameterizedContext<RequestState>;
/** Runs the next middleware. */
export type Next = () => Promise<unknown>;
