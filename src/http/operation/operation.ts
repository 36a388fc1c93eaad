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
import type { Answer, Exchange, Trace } from '../exchange.ts';

/** The argument of an operation's handler. */
export interface Request<Requester = Caller | null, Body = unknown> {
  readonly caller: Requester;
  /** In the Netherlands by the clock of the caller's workspace, `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: Date;
  /** Unique, for a resource in the caller's workspace. */
  newId(): string;
  /** The answer may show register numbers in full (specification.md, "Authentication 4"). */
  readonly steppedUp: boolean;
  readonly call: Call;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /**
   * Returns a member of the JSON body as the client sent it; undefined when there is none. A draft must be returned
   * byte for byte.
   */
  readonly written: (name: string) => string | undefined;
  /** Ids of the resource that the request creates; empty strings for an operation without `creates`. */
  readonly idempotency: IdempotentRequest;
  readonly trace: Trace;
  readonly processingDetails: ProcessingDetails;
  /** Undefined when the request is neither recorded nor traced. */
  readonly onDecision: OnDecision | undefined;
  /** For an operation that reads a header, a query parameter or a multipart body. */
  readonly http: Exchange;
}

/**
 * A class because of `today`: V8 makes a hidden class for every object that has a getter of its own, and these keep all
 * that the request refers to in memory until the next full garbage collection.
 */
export class RequestTime implements Pick<Request, 'now' | 'today'> {
  readonly now: Date;

  constructor(now: Date) {
    this.now = now;
  }

  /** Calculated when it is asked for: the first health probe does not wait for the data of time zones. */
  get today(): string {
    return dateOf(this.now);
  }
}

export interface IdempotentRequest {
  /** A retry (`retry`) gets the id of the earlier attempt. */
  readonly id: string;
  /** The key that is sent to the register; equal to `id` when the client sent none. */
  readonly key: string;
  /** An earlier attempt with this key ended without an answer. It may have created the resource with this `id`. */
  readonly retry: boolean;
}

/** Adds details to the entries of a request in the processing log and the audit trail. */
export interface ProcessingDetails {
  /** Adding the same person again changes nothing. */
  concerns(subject: DataSubject): void;
  /**
   * Adds ids and hashes of the object, for example a letter, to the audit trail. They must not come from the caller's
   * input, which may contain personal data.
   */
  about(object: AuditEntry['object']): void;
  /** The answer to an earlier request is given again, and nothing is done. */
  repeats(): void;
}

/**
 * One endpoint of the specification with its handler. Its route, policy, validation, log entries, OpenAPI description
 * and the types of the client follow from it.
 */
export interface Operation {
  readonly id: string;
  /** domain.md 4.1, "Kind of caller". */
  readonly admits: CallerGroup;
  /**
   * For the processing log; null when it processes no personal data. They are those of the caller when it admits
   * professionals only, else of the persons whom the handler names.
   */
  readonly activity: Activity | null;
  /** Name in the audit trail; absent for an operation that is not in it. */
  readonly act?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, or from the root with `atRoot`. Parameters are written as `{name}`. */
  readonly path: string;
  readonly atRoot?: true;
  readonly tag: string;
  /** In English, for the types of the client. The texts in the OpenAPI document are Dutch. */
  readonly english: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Narrow schema; the service checks its open form (`openBodyOf`). Absent for an operation that reads no JSON body.
   */
  readonly body?: z.ZodType;
  readonly example?: object;
  /** For the OpenAPI document; the handler reads a multipart body itself. */
  readonly form?: z.ZodType;
  /** The handler reads and checks them itself. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /**
   * Narrow schema of each answer that is not a problem, by status; null when the specification gives it no body. The
   * OpenAPI document has its open form (`openOf`).
   */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Of the JSON of a success; a test holds it against the narrow schema. */
  readonly answerExample?: unknown;
  /** Media types of a 200 whose body is a document, not JSON. */
  readonly media?: readonly string[];
  /**
   * Milliseconds until its upstream calls are aborted; default 3,000 for a GET and 8,000 for others. Reading the body
   * does not count.
   */
  readonly budget?: number;
  /** Codes in addition to those that every operation can answer. */
  readonly problems?: Readonly<Record<number, readonly ProblemCode[]>>;
  /** Absent when their failure is never its answer. */
  readonly upstreams?: readonly UpstreamName[];
  /** It accepts `Idempotency-Key`, and its handler gets `idempotency`. */
  readonly creates?: true;
  /** The answer has more data after a step-up (specification.md, "Authentication 4"). */
  readonly stepUp?: true;
  /** Dutch descriptions, for a success. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Dutch descriptions. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  handle(request: Request): Answer | Promise<Answer>;
}

interface QueryParameter {
  readonly description: string;
  readonly isRequired?: true;
  // Absent when the parameter can have any value.
  readonly values?: readonly string[];
}

type Declared<Requester, Schema extends z.ZodType, Given extends keyof Operation = never> = Omit<
  Operation,
  'handle' | 'body' | Given
> & { readonly body?: Schema; handle(request: Request<Requester, OpenBody<Schema>>): Answer | Promise<Answer> };

export const forProfessionals = <Schema extends z.ZodType>(
  declared: Declared<Professional, Schema, 'admits'>,
): Operation => ({ ...declared, admits: 'professional' });

export const forCallers = <Schema extends z.ZodType>(declared: Declared<Caller, Schema>): Operation => declared;

/** Needs no authentication: the handler gets null as caller. */
export const forAnyone = (declared: Declared<null, z.ZodType, 'admits' | 'activity'>): Operation => ({
  ...declared,
  admits: 'anyone',
  activity: null,
});

/**
 * Returns the problem codes of an operation by status: those in its `problems`, and those that follow from other
 * members, such as `body`.
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
