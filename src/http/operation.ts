import type * as z from 'zod';
import type { Caller, Professional } from '../auth/identity.ts';
import type { OperationId } from '../auth/policy.ts';
import type { Because } from '../domain/rule.ts';
import type { Call } from '../ports/call.ts';
import type { ProblemCode } from '../problem.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { ProcessingDetails } from './account.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { IdempotentRequest } from './idempotency.ts';
import type { Trace } from './trace.ts';

/** The argument of a handler: the caller, the time, the validated input, and the context for upstream calls. */
export interface Request<Who = Caller | null, Body = unknown> {
  readonly caller: Who;
  /** The date in the Netherlands for this caller's workspace, `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: Date;
  /** Returns a new id for this caller's workspace. */
  newId(): string;
  /** True when register numbers may be shown in full (specification.md, "Authentication 4"). */
  readonly steppedUp: boolean;
  readonly call: Call;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Text of each member of the body, for members that must be returned byte for byte. */
  readonly written: ReadonlyMap<string, string>;
  /** Id and idempotency key, for an operation with `makes`. */
  readonly making: IdempotentRequest;
  readonly trace: Trace;
  /** Adds details to the processing log, when the operation concerns others than the caller. */
  readonly account: ProcessingDetails;
  /** Receives the reasons of decisions, for the journal of the simulator; undefined when there is no journal. */
  readonly because: Because | undefined;
  /** The HTTP request, for an operation that reads a header, a query parameter or a multipart body. */
  readonly http: Exchange;
}

/**
 * One endpoint of the specification with its handler. The route, the validation of input, the policy check and the
 * OpenAPI document are all derived from this value.
 */
export interface Operation {
  /** The operationId in the OpenAPI document and the key in `auth/policy.ts`: an id without policy does not compile. */
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api/v1`, or from the root with `atRoot`. Parameters are written as `{name}`. */
  readonly path: string;
  readonly atRoot?: true;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Schema of the JSON body; without it no body is read. */
  readonly body?: z.ZodType;
  /** Schema of the fields of a multipart body, for the OpenAPI document; the handler reads the body itself. */
  readonly form?: z.ZodType;
  /** Query parameters by name, for the OpenAPI document; the handler reads them itself. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Schema of each answer that is not a problem, by status; null when the specification has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Media types of a 200 that is a document instead of JSON. */
  readonly media?: readonly string[];
  /** Deadline of the operation in milliseconds; default 3 seconds for a GET and 8 for the other methods. */
  readonly budget?: number;
  /** Problem codes by status, in addition to those of every operation. */
  readonly problems?: Readonly<Record<number, readonly ProblemCode[]>>;
  /** The upstreams that it calls; with any of them the OpenAPI document has 502 and 504. */
  readonly upstreams?: readonly UpstreamName[];
  /** True for a POST that creates something: `Idempotency-Key` is supported, and `making` is filled. */
  readonly makes?: true;
  /** True when step-up authentication gives a fuller answer (specification.md, "Authentication 4"). */
  readonly stepUp?: true;
  /** Response headers of a success, with their description. */
  readonly sends?: Readonly<Record<string, string>>;
  /** Request headers, with their description. */
  readonly headers?: Readonly<Record<string, string>>;
  handle(request: Request): Answer | Promise<Answer>;
}

interface QueryParameter {
  readonly description: string;
  readonly required?: true;
}

type Declared<Who, Schema extends z.ZodType> = Omit<Operation, 'handle' | 'body'> & {
  readonly body?: Schema;
  handle(request: Request<Who, z.output<Schema>>): Answer | Promise<Answer>;
};

/** Declares an operation for professionals: the policy refuses every other kind of caller before `handle` runs. */
export const forProfessionals = <Schema extends z.ZodType>(declared: Declared<Professional, Schema>): Operation =>
  declared as unknown as Operation;

/** Declares an operation for professionals and staff, as far as the policy admits them. */
export const forCallers = <Schema extends z.ZodType>(declared: Declared<Caller, Schema>): Operation =>
  declared as unknown as Operation;

/** Declares a public operation, without authentication. */
export const forAnyone = (declared: Declared<null, z.ZodType>): Operation => declared as unknown as Operation;
