import type { Context as KoaContext } from 'koa';
import type * as z from 'zod';
import type { Caller, Professional } from '../auth/identity.ts';
import type { OperationId } from '../auth/policy.ts';
import type { Call } from '../ports/call.ts';
import type { ProblemCode } from '../problem.ts';
import type { Bron } from '../wire/values.ts';

/** What a handler is given: who calls, when it is, and the means to ask others within the request's budget. */
export interface Request<Who = Caller, Params = unknown, Query = unknown, Body = unknown> {
  readonly caller: Who;
  /** The date in the Netherlands for this caller's workspace, `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: Date;
  /** Whether register numbers may be shown in full on this call (specification, Authentication 4). */
  readonly steppedUp: boolean;
  readonly call: Call;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** For the few that stream or read a header of their own. */
  readonly http: KoaContext;
}

/** What a handler gives back. No `body` means an empty one, as the specification has it for 204, 404 and the health probes. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

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
  /** Schema of each success; null where the specification has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Problems of this operation's own, beside those that any operation may answer. */
  readonly problems?: readonly ProblemCode[];
  /** The sources that it asks; each adds 502, 503 and 504 to the document. */
  readonly sources?: readonly Bron[];
  /** Shows more to a caller who steps up (specification, Authentication 4). */
  readonly stepUp?: true;
  /** Milliseconds for the whole request. 3,000 for reads and 8,000 for writes unless said otherwise (design.md, "Deadlines"). */
  readonly budget?: number;
  handle(request: Request): Answer | Promise<Answer>;
}

type Declared<Who> = Omit<Operation, 'handle'> & {
  handle(request: Request<Who>): Answer | Promise<Answer>;
};

/** An operation for professionals: the policy has already refused every other kind of caller when `handle` runs. */
export const forProfessionals = (declared: Declared<Professional>): Operation => declared as Operation;

/** An operation that needs no caller. */
export const forAnyone = (declared: Declared<null>): Operation => declared as unknown as Operation;
