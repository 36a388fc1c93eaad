import type * as z from 'zod';
import type { Caller, Professional } from '../../auth/identity.ts';
import type { CallerGroup } from '../../auth/policy.ts';
import type { OnDecision } from '../../domain/rule.ts';
import type { Call } from '../../ports/call.ts';
import { dateOf } from '../../ports/clock.ts';
import type { Activity, AuditEntry, DataSubject } from '../../ports/processing.ts';
import { PROBLEMS, type ProblemCode } from '../../problem-codes.ts';
import type { OpenBody } from '../../wire/primitives.ts';
import type { UpstreamName } from '../../wire/values.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { Trace } from '../trace.ts';

/**
 * The argument of an operation's handler: the caller, the time, the validated body, the context for upstream calls, and
 * more.
 */
export interface Request<Requester = Caller | null, Body = unknown> {
  readonly caller: Requester;
  /** Today's date in the Netherlands by the clock of the caller's workspace, `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: Date;
  /** Returns a new unique id for a resource in the caller's workspace. */
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
  /** Adds details to the entries of this request in the processing log. */
  readonly processingDetails: ProcessingDetails;
  /**
   * Adds a decision and its reason to the simulator's journal and to the trace; undefined when the request is neither
   * recorded nor traced.
   */
  readonly onDecision: OnDecision | undefined;
  /** The HTTP request, for an operation that reads a header, a query parameter or a multipart body. */
  readonly http: Exchange;
}

/**
 * The request that a handler gets. It is a class because of `today`: V8 makes a hidden class for every object that has
 * a getter of its own, and these keep all that the request refers to in memory until the next full garbage collection.
 */
export class HandlerRequest implements Request {
  readonly caller: Caller | null;
  readonly now: Date;
  readonly newId: () => string;
  readonly steppedUp: boolean;
  readonly call: Call;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly written: Request['written'];
  readonly idempotency: IdempotentRequest;
  readonly trace: Trace;
  readonly processingDetails: ProcessingDetails;
  readonly onDecision: OnDecision | undefined;
  readonly http: Exchange;

  constructor(request: Omit<Request, 'today'>) {
    this.caller = request.caller;
    this.now = request.now;
    this.newId = request.newId;
    this.steppedUp = request.steppedUp;
    this.call = request.call;
    this.params = request.params;
    this.body = request.body;
    this.written = request.written;
    this.idempotency = request.idempotency;
    this.trace = request.trace;
    this.processingDetails = request.processingDetails;
    this.onDecision = request.onDecision;
    this.http = request.http;
  }

  /** Calculated when it is asked for: the first health probe does not wait for the data of time zones. */
  get today(): string {
    return dateOf(this.now);
  }
}

/** The ids of a POST that creates something, and whether the POST is a retry. */
export interface IdempotentRequest {
  /** Id of the resource to create. A retry (`retry`) gets the id of the earlier attempt. */
  readonly id: string;
  /** Idempotency key that is sent to the register; equal to `id` when the client sent no key. */
  readonly key: string;
  /**
   * True when an earlier attempt with this idempotency key ended without an answer. It may have created the resource
   * with this `id`.
   */
  readonly retry: boolean;
}

/**
 * Methods with which a handler adds details to the entries of its request in the processing log and the audit trail.
 */
export interface ProcessingDetails {
  /** Adds a person whose data the operation processes. Adding the same person again changes nothing. */
  concerns(subject: DataSubject): void;
  /**
   * Adds ids and hashes of the object of the operation (for example a letter) to the audit trail. They must not come
   * from the caller's input, which may contain personal data.
   */
  about(object: AuditEntry['object']): void;
  /** Records in the audit trail that the answer to an earlier request is given again, and that nothing is done. */
  repeats(): void;
}

/**
 * One endpoint of the specification with its handler. Its route, policy, input validation, entries in the processing
 * log, OpenAPI description, and types of the client are derived from it.
 */
export interface Operation {
  /** The operationId in the OpenAPI document. */
  readonly id: string;
  /** The callers that may use it (domain.md 4.1, "Kind of caller"). */
  readonly admits: CallerGroup;
  /**
   * The processing activity for the processing log; null when it processes no personal data. They are those of the
   * caller when it admits professionals only, else of the persons whom the handler names.
   */
  readonly activity: Activity | null;
  /** Name of the act in the audit trail; absent for an operation that is not in the audit trail. */
  readonly act?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api/v1`, or from the root with `atRoot`. Parameters are written as `{name}`. */
  readonly path: string;
  readonly atRoot?: true;
  readonly tag: string;
  /** What it does, in English, for the types of the client. The texts in the OpenAPI document are Dutch. */
  readonly english: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Narrow schema of the JSON body. The service checks its open form (`openBodyOf`). Absent for an operation that reads
   * no JSON body.
   */
  readonly body?: z.ZodType;
  /** An example of the JSON body. */
  readonly example?: object;
  /** Schema of the fields of a multipart body, for the OpenAPI document; the handler reads the body itself. */
  readonly form?: z.ZodType;
  /** Query parameters, keyed by name. The handler reads and checks them itself. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /**
   * Narrow schema of each answer that is not a problem, keyed by status; null when the specification gives the answer no
   * body. The OpenAPI document has its open form (`openOf`).
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

interface QueryParameter {
  readonly description: string;
  readonly isRequired?: true;
  /** The values that it can have; absent when it can have any. */
  readonly values?: readonly string[];
}

type Declared<Requester, Schema extends z.ZodType, Given extends keyof Operation = never> = Omit<
  Operation,
  'handle' | 'body' | Given
> & {
  readonly body?: Schema;
  handle(request: Request<Requester, OpenBody<Schema>>): Answer | Promise<Answer>;
};

/** Returns an operation that admits professionals only. */
export const forProfessionals = <Schema extends z.ZodType>(
  declared: Declared<Professional, Schema, 'admits'>,
): Operation => ({ ...declared, admits: 'professional' });

/** Returns an operation that admits a group of callers. */
export const forCallers = <Schema extends z.ZodType>(declared: Declared<Caller, Schema>): Operation => declared;

/** Returns an operation that needs no authentication. Its handler gets null as caller. */
export const forAnyone = (declared: Declared<null, z.ZodType, 'admits' | 'activity'>): Operation => ({
  ...declared,
  admits: 'anyone',
  activity: null,
});

/**
 * Returns the problem codes with which an operation can answer, keyed by HTTP status: the codes in its `problems`, and
 * the codes that follow from other members, such as `body`.
 */
export function problemsOf(operation: Operation): Map<number, Set<ProblemCode>> {
  const found = new Map<number, Set<ProblemCode>>();
  const add = (code: ProblemCode, status: number = PROBLEMS[code].status) =>
    found.set(status, (found.get(status) ?? new Set()).add(code));
  for (const [status, codes] of Object.entries(operation.problems ?? {}))
    for (const code of codes) add(code, Number(status));
  const common: ProblemCode[] = ['onverwacht'];
  if (operation.media || Object.values(operation.answers).some((schema) => schema !== null))
    common.push('niet-aanvaardbaar');
  if (operation.admits !== 'anyone') {
    common.push(
      'niet-ingelogd',
      'identiteit-onbekend',
      'rol-ontbreekt',
      'te-veel-verzoeken',
      'bron-niet-beschikbaar',
      'overbelast',
    );
  }
  if (operation.stepUp) common.push('step-up-nodig');
  if (operation.upstreams) common.push('bron-antwoord-ongeldig', 'bron-te-laat');
  if (operation.method === 'POST' || operation.method === 'PUT' || operation.query || operation.path.includes('{'))
    common.push('ongeldig-verzoek');
  if (operation.body) common.push('verzoek-te-groot', 'mediatype-niet-ondersteund', 'verzoek-te-traag');
  if (operation.creates) common.push('sleutel-in-gebruik', 'sleutel-hergebruikt');
  for (const code of common) add(code);
  return found;
}
