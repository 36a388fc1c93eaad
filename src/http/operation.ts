import type * as z from 'zod';
import type { Caller, Professional } from '../auth/identity.ts';
import type { OperationId } from '../auth/policy.ts';
import type { Because } from '../domain/rule.ts';
import type { Call } from '../ports/call.ts';
import type { ProblemCode } from '../problem.ts';
import type { Bron } from '../wire/values.ts';
import type { Accounting } from './account.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Making } from './idempotency.ts';
import type { Trace } from './trace.ts';

/** What a handler is given: who calls, when it is, what was sent, and the means to ask others within the request's budget. */
export interface Request<Who = Caller | null, Body = unknown> {
  readonly caller: Who;
  /** The date in the Netherlands for this caller's workspace, `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: Date;
  /** What a new thing of this caller's workspace is called. */
  newId(): string;
  /** Whether register numbers may be shown in full on this call (specification.md, "Authentication 4"). */
  readonly steppedUp: boolean;
  readonly call: Call;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The members of the body as they were written, for what must come back byte for byte. */
  readonly written: ReadonlyMap<string, string>;
  /** For a POST that makes something. */
  readonly making: Making;
  readonly trace: Trace;
  /** Whom and what this is about, where that is not simply the caller. */
  readonly account: Accounting;
  /** Receives each decision with its reason, for the simulator's journal; undefined when there is no journal. */
  readonly because: Because | undefined;
  /** For the few that read a header, a query or a body of their own. */
  readonly http: Exchange;
}

/**
 * One row of the specification's endpoint tables, with the handler beside it. From the same value come the route, the
 * check of what comes in, the policy look-up and the paragraph in the OpenAPI document.
 */
export interface Operation {
  /** Also the operationId in the document and the key in `auth/policy.ts`: without an entry there it does not compile. */
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, parameters as `{name}`; or from the root when `atRoot`. */
  readonly path: string;
  readonly atRoot?: true;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What a body must look like; without it a body is not read. */
  readonly body?: z.ZodType;
  /** The fields of a multipart body, which the operation reads for itself. */
  readonly form?: z.ZodType;
  /** Query parameters by name; the operation reads them for itself. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Schema of each answer that is no problem; null where the specification has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Types of a 200 that is no JSON but somebody's document. */
  readonly media?: readonly string[];
  /** Milliseconds for the whole of it, where the usual 3 seconds for a read and 8 for a write do not do. */
  readonly budget?: number;
  /** Problems of this operation's own by status, beside those that any operation may answer. */
  readonly problems?: Readonly<Record<number, readonly ProblemCode[]>>;
  /** The sources that it asks; they add 502 and 504 to the document. */
  readonly sources?: readonly Bron[];
  /** A POST that makes something: `Idempotency-Key` counts, and the request gets a `making`. */
  readonly makes?: true;
  /** Shows more to a caller who steps up (specification.md, "Authentication 4"). */
  readonly stepUp?: true;
  /** Headers of a success by name, with what they tell. */
  readonly sends?: Readonly<Record<string, string>>;
  /** Header parameters by name, with what they do. */
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

/** An operation for professionals: the policy has already refused every other kind of caller when `handle` runs. */
export const forProfessionals = <Schema extends z.ZodType>(declared: Declared<Professional, Schema>): Operation =>
  declared as unknown as Operation;

/** An operation for whoever the policy admits, of either kind. */
export const forCallers = <Schema extends z.ZodType>(declared: Declared<Caller, Schema>): Operation =>
  declared as unknown as Operation;

/** An operation that needs no caller. */
export const forAnyone = (declared: Declared<null, z.ZodType>): Operation => declared as unknown as Operation;
