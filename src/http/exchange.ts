import { randomUUID } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import type { Caller, IncomingRequest } from '../auth/identity.ts';
import { type CallerGroup, isAdmitted } from '../auth/policy.ts';
import { copyOf, type Decision, type OnDecision } from '../domain/rule.ts';
import type { CallRecord } from '../ports/call.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { TracedStep } from '../ports/tracing.ts';
import type { UpstreamName } from '../wire/values.ts';

/** An HTTP request and its answer: Koa's context on the server, a plain object in the browser build. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Values of the path parameters, keyed by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Without the question mark and not decoded. */
  readonly querystring: string;
  readonly req: IncomingRequest;
  readonly state: RequestState;
  /** An empty string when the header is absent. */
  get(name: string): string;
}

/** How the sending of a stream ended. Only after `complete` has the whole document been sent. */
export type StreamEnd = 'complete' | 'client-left' | 'failed';

/** What differs between the server (Koa) and the browser build. */
export interface Transport<Http extends Exchange> {
  /** At most `MAX_BODY` bytes. Throws for example 408 for a late body or 413 for one that is too large. */
  readJsonBody(http: Http): Promise<Uint8Array>;
  /** Returns how the sending ended. Never rejects. */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<StreamEnd>;
  /**
   * Calls `listener` when the client disconnects before its answer is complete, or has done so. Returns a function that
   * removes it.
   */
  onDisconnect(http: Http, listener: () => void): () => void;
}

/** The answer to a request. Its body is empty when both `body` and `stream` are absent. */
export interface Answer {
  readonly status: number;
  /** An object is sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of `body`. The connection is reset when there are not `length` bytes. */
  readonly stream?: DocumentBytes;
  /** Bytes of `stream`, sent as `Content-Length`. For HEAD: those that GET would send. */
  readonly length?: number;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** A 404 without a body: the same for data that do not exist and for data of another owner. */
export const notFound: Answer = { status: 404 };

/** Koa's `ctx.state`, for the log line and the journal. */
export interface RequestState {
  trace: Trace;
  /** Undefined for an unknown path or method. */
  operation?: HandledOperation;
  caller?: Caller;
  /** Undefined for health probes. */
  slot?: RequestSlot;
  /** Sorted by the time at which they ended. */
  upstream: CallRecord[];
  /** Code of the problem that was sent; undefined when none was. */
  problem?: string;
  /** For the development pages: their log line has level `debug`. */
  quiet?: true;
  /** Why it failed, for the log, when the answer does not say so. Never personal data. */
  reason?: string;
  /** What a refused token has, as names and kinds without values, for the log. */
  found?: string;
  /** The service broke off its answer, because the bytes of a document did not arrive. */
  isBrokenOff?: true;
  /** For the log; never sent. */
  error?: unknown;
  /** Decisions in the order in which they were made; undefined when there is no journal. */
  decisions?: Decision[];
  /** Undefined when the request is not traced. */
  steps?: TracedStep[];
  /** The JSON text of the body, for the journal; undefined when none was read. */
  sent?: string;
  /** For the journal. */
  form?: SentForm;
  /** Also when it becomes a problem. They are complete when the answer has started. */
  headers: Record<string, string>;
  /** The text of the answer's body, for the journal. */
  answered?: string;
}

interface HandledOperation {
  readonly id: string;
  // By status, the schema of the body; null for an answer without a body. Problems are not in it.
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  // Media types of the body of a 200 that is a document, not JSON.
  readonly media?: readonly string[];
  readonly upstreams?: readonly UpstreamName[];
}

export interface RequestSlot {
  /** A second call does nothing. */
  leave(): void;
  /**
   * Releases the slot while `wait` runs. Takes one again afterwards, even when all are then in use (reliability.md,
   * "Overload").
   */
  releaseDuring<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/** The value of a field is null when the journal may not have it. */
export interface SentForm {
  readonly fields: Readonly<Record<string, string | null>>;
  /** Null until it arrives. `size` is in bytes, and null when the file did not arrive completely. */
  readonly file: { readonly name: string; readonly size: number | null } | null;
}

export type Context = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;

export interface Trace {
  /** UUID; also in the `instance` of a problem and in the log line. */
  readonly requestId: string;
  /** W3C, 32 hexadecimal digits: the client's when it sent a valid one, else made of the digits of `requestId`. */
  readonly traceId: string;
  /** W3C, two hexadecimal digits. */
  readonly flags: string;
  /** W3C parent id, 16 hexadecimal digits, in the `traceparent` of the answer. */
  readonly operationId: string;
  /** The client's parent id; null when it sent no valid one. */
  readonly foreignOperationId: string | null;
  /** Valid, for the upstreams; null when there is none. */
  readonly tracestate: string | null;
}

// W3C Trace Context, 3.3.1.3: a key, and a value without a comma or an equals sign.
const STATE_MEMBER = /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
const MAX_STATE = { length: 512, members: 32 };

const TRACEPARENT = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C Trace Context, level 1. An invalid or absent `traceparent` starts a new trace. */
export function readTrace(traceparent: string | undefined, tracestate = ''): Trace {
  const requestId = randomUUID();
  // One random number serves for all three ids: making one takes longer than the rest of this function.
  const ownTraceId = withoutDashes(requestId);
  const operationId = ownTraceId.slice(16);
  if (traceparent === undefined)
    return { requestId, operationId, foreignOperationId: null, traceId: ownTraceId, flags: '01', tracestate: null };
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  // Version 00 has nothing after the flags; later versions may. Version ff is invalid.
  const valid =
    traceId !== undefined && flags !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  return {
    requestId,
    operationId,
    foreignOperationId: valid ? (parentId ?? null) : null,
    traceId: valid ? traceId : ownTraceId,
    flags: valid ? flags : '01',
    tracestate: valid && isState(tracestate) ? tracestate : null,
  };
}

const withoutDashes = (uuid: string): string =>
  uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);

function isState(text: string): boolean {
  if (text === '' || text.length > MAX_STATE.length) return false;
  const members = text.split(',').map((member) => member.trim());
  return members.length <= MAX_STATE.members && members.every((member) => STATE_MEMBER.test(member));
}

export const traceparentOf = ({ traceId, operationId, flags }: Trace): string =>
  `00-${traceId}-${operationId}-${flags}`;

/**
 * Adds a decision to the journal, and the name and source of its rule to the trace. Undefined when the request is
 * neither recorded nor traced.
 */
export function listenerOf({ state: { decisions, steps } }: Pick<Exchange, 'state'>): OnDecision | undefined {
  if (steps === undefined) return decisions === undefined ? undefined : (decision) => decisions.push(copyOf(decision));
  return (decision) => {
    decisions?.push(copyOf(decision));
    // The trace does not get the facts and the outcome, because they are about a person.
    steps.push({ kind: 'rule', name: decision.rule, source: decision.source, end: Date.now() });
  };
}

/** Reports whether the policy admits the caller; it does not refuse the caller. */
export function reportAdmission(
  http: Pick<Exchange, 'state'>,
  { id, admits }: { readonly id: string; readonly admits: CallerGroup },
  caller: Caller,
): void {
  const { kind, roles } = caller;
  listenerOf(http)?.({
    rule: 'admit',
    source: 'domain.md 4.1, "Kind of caller"',
    facts: { operation: id, group: admits, kind, roles },
    outcome: isAdmitted(admits, caller) ? 'toegestaan' : { geweigerd: 'rol-ontbreekt', status: 403 },
  });
}
