import type { UpstreamName } from '../wire/values.ts';

/** The result of one upstream call, for the request log. It contains no data from the request or the response. */
export interface CallRecord {
  readonly upstream: UpstreamName;
  /**
   * The outcome: 200 for a usable answer; otherwise the HTTP status of the upstream, or the kind of failure when there
   * was no such status. `aborted` when the client disconnected.
   */
  readonly outcome: number | UpstreamFault | 'aborted';
  /** Moment at which the call began, by `performance.now()` of this process, in milliseconds. */
  readonly start: number;
  /**
   * Milliseconds from `start` until the answer had arrived (for a download: until its body began to arrive). Includes
   * retries and the time that the call waited for a connection.
   */
  readonly ms: number;
  /** Number of requests that were sent, retries included; 0 when the call was refused before it was sent. */
  readonly attempts: number;
  /** W3C span id of the call, which all its retries have in `traceparent`; absent for an upstream without HTTP. */
  readonly spanId?: string;
}

/**
 * The context of one incoming request: deadline, trace and log. Every port method gets it as its last argument, so that
 * all upstream calls of a request share one deadline and one trace.
 */
export interface Call {
  /**
   * Aborts when the deadline of the request has passed, when the client of a GET has disconnected, and when the request
   * has been answered. An adapter then stops at once.
   */
  readonly signal: AbortSignal;
  /**
   * The caller's workspace. Real adapters ignore it; the simulator uses it to select the simulated upstreams of that
   * workspace.
   */
  readonly workspace: string;
  /** W3C trace id, 32 hexadecimal digits. */
  readonly traceId: string;
  /** W3C trace flags, two hexadecimal digits. */
  readonly traceFlags: string;
  /** The caller's `tracestate` header (W3C Trace Context), which is sent on unchanged; absent when there is none. */
  readonly tracestate?: string;
  /** Adds the result of one upstream call to the request log. Adapters call it once per call, also after a failure. */
  record(entry: CallRecord): void;
}

/**
 * The reason why an upstream gave no usable answer. `unavailable` (connection refused or reset, an error status that
 * the adapter gives no other meaning, the service's credential refused) becomes status 503 for the client. `late` (a
 * timeout) becomes 504. `unreadable` (truncated, not JSON, not the agreed schema, a redirect, too large) becomes 502.
 * Source: domain.md 4.9; reliability.md, "Honest failure".
 */
export type UpstreamFault = 'unavailable' | 'late' | 'unreadable';

/**
 * The error that adapters throw when an upstream gave no usable answer. Its message is logged, and contains no personal
 * data and no URL.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly upstream: UpstreamName;
  readonly fault: UpstreamFault;
  /**
   * Number of seconds after which a new attempt makes sense, from the upstream's `Retry-After` header or from the
   * adapter; undefined when it is unknown.
   */
  readonly retryAfter: number | undefined;
  /** True when the upstream certainly did not carry out the call; false when that is unknown. */
  readonly undone: boolean;
  /** True when the request was sent and no complete answer arrived. */
  readonly lost: boolean;

  constructor(upstream: UpstreamName, fault: UpstreamFault, why: string, facts: UpstreamFacts = {}) {
    super(`${upstream} ${fault}: ${why}`);
    this.upstream = upstream;
    this.fault = fault;
    this.retryAfter = facts.retryAfter;
    this.undone = facts.undone ?? false;
    this.lost = facts.lost ?? false;
  }
}

/** Optional members for the constructor of `UpstreamError`; `undone` and `lost` are false by default. */
export interface UpstreamFacts {
  readonly retryAfter?: number | undefined;
  readonly undone?: boolean;
  readonly lost?: boolean;
}

/** The abort reason of `Call.signal` when the deadline of a request has passed. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * The abort reason of `Call.signal` when nobody needs an answer any more: the client has disconnected, or the service
 * has already answered the client.
 */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/**
 * Returns a copy of `call` in which the members of `changes` replace those of `call`. Use it instead of `{ ...call,
 * ...changes }`, which would lose the getters and methods of a `call` that is an instance of a class.
 */
export function changedCall<Changes extends object>(call: Call, changes: Changes): Call & Changes {
  const { signal, workspace, traceId, traceFlags, tracestate } = call;
  return {
    signal,
    workspace,
    traceId,
    traceFlags,
    ...(tracestate !== undefined && { tracestate }),
    record: (entry: CallRecord) => call.record(entry),
    ...changes,
  };
}

/**
 * Calls `work` with a copy of `call` that is also aborted, with the reason `DeadlinePassed`, after `ms` milliseconds.
 * Returns the result of `work`. Use it for a part of a request that gets less time than the whole request. `upstream`
 * is named in the message of the reason.
 */
export async function withinTimeout<Result>(
  call: Call,
  ms: number,
  upstream: UpstreamName,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlinePassed(`${upstream}: nothing within ${ms} ms`)), ms);
  try {
    return await work(changedCall(call, { signal: AbortSignal.any([call.signal, abort.signal]) }));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns true for an `UpstreamError` after which it is unknown whether the upstream carried out the call: the call was
 * sent, and no complete answer arrived in time. Returns false for every other error.
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof UpstreamError && !error.undone && (error.lost || error.fault === 'late');
