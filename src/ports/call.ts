import { randomUUID } from 'node:crypto';
import type { NotUnderstood } from '../wire/json.ts';
import type { UpstreamName } from '../wire/values.ts';
import { Deadline } from './deadline.ts';

/**
 * One call to an upstream, for the request log and the metrics, without personal data. A download whose bytes break off
 * has a second record.
 */
export interface CallRecord {
  readonly upstream: UpstreamName;
  /** 200 for a 200, 201 or 202 that can be used; otherwise the HTTP status, the kind of failure, or `aborted`. */
  readonly outcome: number | UpstreamFault | 'aborted';
  /** True when the adapter gives this status a meaning, such as a 404 for "nothing found": the call did not fail. */
  readonly isExpected?: true;
  /** What was not understood in an answer that can be used; absent when all was. */
  readonly notUnderstood?: readonly NotUnderstood[];
  /** Moment at which the call to the upstream began, by `performance.now()` of this process, in milliseconds. */
  readonly start: number;
  /** Duration of the upstream call in milliseconds, retries included; for a download, until its first bytes arrive. */
  readonly ms: number;
  /** Number of requests sent to the upstream, retries included; 0 when none was sent, and in a second record. */
  readonly attempts: number;
  /** W3C span id of the upstream call; absent for an upstream without HTTP. */
  readonly spanId?: string;
  /** Why the call failed, as in the message of its `UpstreamError`; absent when it did not fail. */
  readonly why?: string;
}

/** Returns true when the call gave no answer that the adapter could use. */
export const hasFailed = ({ outcome, isExpected }: CallRecord): boolean => outcome !== 200 && isExpected !== true;

/**
 * The part of an `AbortSignal` that a call needs to stop. The listeners and events of an `AbortSignal` cost 5% of the
 * CPU time of a request that makes two calls (docs/performance.md).
 */
export interface StopSignal {
  readonly aborted: boolean;
  /** Why the calls must stop; undefined while they may continue. */
  readonly reason: Error | undefined;
  addEventListener(type: 'abort', listener: StopListener): void;
  removeEventListener(type: 'abort', listener: StopListener): void;
}

/** An object whose `handleEvent` is called once, when the signal aborts. */
export interface StopListener {
  handleEvent(): void;
}

/** The deadline, trace and log of one incoming request, for the upstream calls that the request causes. */
export interface Call {
  /** Aborts when the upstream calls must stop, for example because the deadline of the incoming request has passed. */
  readonly stop: StopSignal;
  /** Aborts together with `stop`, for functions of Node and undici. */
  readonly signal: AbortSignal;
  /** The caller's workspace. The simulated upstreams have separate data for it; real upstreams do not get it. */
  readonly workspace: string;
  /** W3C trace id, 32 hexadecimal digits. */
  readonly traceId: string;
  /** W3C trace flags, two hexadecimal digits. */
  readonly traceFlags: string;
  /** The caller's `tracestate` header (W3C Trace Context); absent when the caller sent none. */
  readonly tracestate?: string;
  /** Adds the result of one upstream call to the request log. Adapters also call it for a call that failed. */
  record(entry: CallRecord): void;
}

/**
 * How an upstream failed: it could not be used (`unavailable`, 503), did not answer in time (`late`, 504), or gave an
 * answer that does not follow the agreement (`unreadable`, 502; domain.md 4.9).
 */
export type UpstreamFault = 'unavailable' | 'late' | 'unreadable';

/** No usable answer. The message is logged, and contains no personal data and no URL. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly upstream: UpstreamName;
  readonly fault: UpstreamFault;
  /** The end of the message. */
  readonly why: string;
  /** Number of seconds after which a new attempt makes sense; undefined when that is unknown. */
  readonly retryAfter: number | undefined;
  /** True when the upstream certainly did not carry out the call; false when that is unknown. */
  readonly undone: boolean;
  /** True when the request was sent and no complete answer arrived. */
  readonly lost: boolean;
  /**
   * The upstream, or a gateway before it, does not take a request of this size: `certain` when it says so, `possible`
   * when it closed the connection while it got a large request.
   */
  readonly tooLarge: 'certain' | 'possible' | undefined;

  constructor(upstream: UpstreamName, fault: UpstreamFault, why: string, facts: UpstreamFacts = {}) {
    super(`${upstream} ${fault}: ${why}`);
    this.upstream = upstream;
    this.fault = fault;
    this.why = why;
    this.retryAfter = facts.retryAfter;
    this.undone = facts.undone ?? false;
    this.lost = facts.lost ?? false;
    this.tooLarge = facts.tooLarge;
  }
}

/** `undone` and `lost` are false by default. */
export interface UpstreamFacts {
  readonly retryAfter?: number | undefined;
  readonly undone?: boolean;
  readonly lost?: boolean;
  readonly tooLarge?: UpstreamError['tooLarge'];
}

/** The reason of an abort when the deadline of the incoming request has passed. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** The reason of an abort when the client has disconnected, or has got its answer. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/**
 * A context with a new trace, for calls that are not part of a request. It aborts after `ms` milliseconds
 * (`DeadlinePassed`), and when `signal` aborts.
 */
export function newCall(ms: number, { record, signal }: Partial<Pick<Call, 'record' | 'signal'>> = {}): Call {
  const deadline = timeoutSignal(ms);
  const combined = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  return {
    stop: combined,
    signal: combined,
    workspace: 'default',
    traceId: newTraceId(),
    traceFlags: '01',
    record: record ?? (() => undefined),
  };
}

/** Returns a signal that aborts after `ms` milliseconds, with the reason `DeadlinePassed`. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  new Deadline(ms, () => controller.abort(new DeadlinePassed(`nothing within ${ms} ms`)));
  return controller.signal;
}

/** Returns a new W3C trace id: 32 hexadecimal digits. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');

/**
 * W3C span id: 16 hexadecimal digits. They are those of a UUID, because Node keeps random bytes for UUIDs in a cache.
 */
export function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}

/**
 * Returns a copy of a call with other members. Use it instead of object spread, which loses the getters and methods of
 * a class instance.
 */
export function changedCall<Changes extends { readonly signal: AbortSignal }>(
  call: Call,
  changes: Changes,
): Call & Changes {
  const { workspace, traceId, traceFlags, tracestate } = call;
  return {
    stop: changes.signal,
    workspace,
    traceId,
    traceFlags,
    ...(tracestate !== undefined && { tracestate }),
    record: (entry: CallRecord) => call.record(entry),
    ...changes,
  };
}

/**
 * Calls `work` with a copy of `call` that also aborts after `ms` milliseconds, with a `DeadlinePassed` that names
 * `upstream`.
 */
export async function withinTimeout<Result>(
  call: Call,
  ms: number,
  upstream: UpstreamName,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const deadline = new Deadline(ms, () => abort.abort(new DeadlinePassed(`${upstream}: nothing within ${ms} ms`)));
  try {
    return await work(changedCall(call, { signal: AbortSignal.any([call.signal, abort.signal]) }));
  } finally {
    deadline.cancel();
  }
}

/** Returns true for an `UpstreamError` after which it is unknown whether the upstream carried out the call. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof UpstreamError && !error.undone && (error.lost || error.fault === 'late');
