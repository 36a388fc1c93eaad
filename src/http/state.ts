import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import type { Caller } from '../auth/identity.ts';
import type { OperationId } from '../auth/policy.ts';
import type { Reason } from '../domain/rule.ts';
import type { CallRecord } from '../ports/call.ts';
import type { Bron } from '../wire/values.ts';
import type { Trace } from './trace.ts';

/** What is known of one request while it passes; the log line is written from it. */
export interface State {
  trace: Trace;
  /** Which operation it turned out to be; undefined for unknown paths and verbs. */
  operation?: HandledOperation;
  caller?: Caller;
  /** Its place among the requests at work; health has none. */
  place?: Place;
  /** The upstream calls that it caused, in the order in which they ended. */
  upstream: CallRecord[];
  /** Code of the problem that was answered. */
  problem?: string;
  /** Looked at by who builds, and not worth a line unless somebody wants every one. */
  quiet?: true;
  /** Why, in our own words, where the answer does not tell. */
  reason?: string;
  /** What went wrong inside; for the log, never for the answer. */
  error?: unknown;
  /** Why it was decided as it was; there only when somebody listens (`http/why.ts`). */
  why?: Reason[];
  /** The JSON text that was sent, whole. */
  sent?: string;
  /** What came as multipart, as far as it may be told: known fields with their value, others by name, and never a byte of the file. */
  form?: SentForm;
  /** The text of an answer that goes out as a stream. */
  said?: string;
}

/** What the log and the journal need to know of the operation that handled a request. */
interface HandledOperation {
  readonly id: OperationId;
  /** Schema of each answer that is no problem; null where there is no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Types of a 200 that is a document and no JSON. */
  readonly media?: readonly string[];
  /** The upstreams that the operation asks. */
  readonly sources?: readonly Bron[];
}

/** A place among the requests that are handled at the same time. */
export interface Place {
  /** Gives the place up. Doing so twice is as good as once. */
  leave(): void;
  /** Gives it up for as long as something is waited for that is not ours to do. */
  aside<Result>(wait: () => Promise<Result>): Promise<Result>;
}

export interface SentForm {
  readonly fields: Readonly<Record<string, string | null>>;
  /** `size` is null when not all of it came. */
  readonly file: { readonly name: string; readonly size: number | null } | null;
}

export type Context = ParameterizedContext<State>;
export type Next = () => Promise<unknown>;
