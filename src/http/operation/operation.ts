import type * as z from 'zod';
import type { Caller, Professional } from '../../auth/identity.ts';
import type { OperationId } from '../../auth/policy.ts';
import type { OnDecision } from '../../domain/rule.ts';
import type { Call } from '../../ports/call.ts';
import type { ProblemCode } from '../../problem-codes.ts';
import type { UpstreamName } from '../../wire/values.ts';
import type { Answer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { Trace } from '../trace.ts';
import type { IdempotentRequest } from './idempotency.ts';
import type { ProcessingDetails } from './processing-log.ts';

/**
 * The argument of an operation's handler: the caller, the time, the validated body, the context for upstream calls, and
 * more.
 */
export interface Request<Requester = Caller | null, Body = unknown> {
  readonly caller: Requester;
  /** Today's date in the Netherlands by the clock of the caller's workspace (tenant), `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: Date;
  /** Returns a new unique id for a resource in the caller's workspace (tenant). */
  newId(): string;
  /**
   * True when the answer may show register numbers in full: the client asked for that and its login is strong enough
   * (specification.md, "Authentication 4").
   */
  readonly steppedUp: boolean;
  /** The context for calls to upstreams: deadline, trace and log. */
  readonly call: Call;
  /** Values of the path parameters, keyed by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /**
   * Returns the text of a member of the JSON body as the client sent it; undefined when there is no such member. A draft
   * must be returned byte for byte.
   */
  readonly written: (name: string) => string | undefined;
  /**
   * Id and idempotency key of the resource that the request creates; both are empty strings for an operation without
   * `creates`.
   */
  readonly idempotency: IdempotentRequest;
  readonly trace: Trace;
  /** Adds details to the entries of this request in the processing log (which personal data were processed). */
  readonly processingDetails: ProcessingDetails;
  /**
   * Adds a decision and its reason to the simulator's journal (list of recorded requests) and to the trace; undefined
   * when the request is neither recorded nor traced.
   */
  readonly onDecision: OnDecision | undefined;
  /** The HTTP request, for an operation that reads a header, a query parameter or a multipart body. */
  readonly http: Exchange;
}

/**
 * One endpoint of the specification with its handler. Its route, input validation and OpenAPI description are derived
 * from it.
 */
export interface Operation {
  /** The operationId in the OpenAPI document. The policy in `auth/policy.ts` has the same ids as keys. */
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api/v1`, or from the root with `atRoot`. Parameters are written as `{name}`. */
  readonly path: string;
  readonly atRoot?: true;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Schema of the JSON body. Absent for an operation that reads no JSON body. */
  readonly body?: z.ZodType;
  /** Schema of the fields of a multipart body, for the OpenAPI document; the handler reads the body itself. */
  readonly form?: z.ZodType;
  /** Query parameters, keyed by name, for the OpenAPI document. The handler reads and checks them itself. */
  readonly query?: Readonly<Record<string, DescribedParameter>>;
  /**
   * Schema of each answer that is not a problem, keyed by status; null when the specification gives the answer no body.
   */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Media types of a 200 answer whose body is a document, not JSON. */
  readonly media?: readonly string[];
  /**
   * Milliseconds that the handler has before its upstream calls are aborted; default 3,000 for a GET and 8,000 for the
   * other methods. Reading the body does not count.
   */
  readonly budget?: number;
  /** Problem codes keyed by HTTP status, in addition to those that every operation can answer. */
  readonly problems?: Readonly<Record<number, readonly ProblemCode[]>>;
  /** The upstreams that the operation calls. Absent when their failure is never its answer. */
  readonly upstreams?: readonly UpstreamName[];
  /** True for a POST that creates something: it accepts `Idempotency-Key`, and its handler gets `idempotency`. */
  readonly creates?: true;
  /**
   * True when the answer has more data after a step-up, which is a stronger login (specification.md, "Authentication
   * 4").
   */
  readonly stepUp?: true;
  /** Dutch descriptions of the response headers of a success, keyed by header name. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Dutch descriptions of the request headers, keyed by header name. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  handle(request: Request): Answer | Promise<Answer>;
}

interface DescribedParameter {
  readonly description: string;
  readonly required?: true;
}

type Declared<Requester, Schema extends z.ZodType> = Omit<Operation, 'handle' | 'body'> & {
  readonly body?: Schema;
  handle(request: Request<Requester, z.output<Schema>>): Answer | Promise<Answer>;
};

/**
 * Returns an operation whose handler gets a professional as caller. The policy (`auth/policy.ts`) must refuse other
 * callers.
 */
export const forProfessionals = <Schema extends z.ZodType>(declared: Declared<Professional, Schema>): Operation =>
  declared;

/** Returns an operation whose handler gets any authenticated caller that the policy (`auth/policy.ts`) admits. */
export const forCallers = <Schema extends z.ZodType>(declared: Declared<Caller, Schema>): Operation => declared;

/** Returns an operation that needs no authentication. Its handler gets null as caller. */
export const forAnyone = (declared: Declared<null, z.ZodType>): Operation => declared;
