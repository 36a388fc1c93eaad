import type { Bron } from '../wire/values.ts';

/** What one upstream call came to. Facts only, never a value: these lines go into the request log. */
export interface CallRecord {
  readonly bron: Bron;
  /** 200 for an answer that could be used, else the upstream's status or what happened instead. */
  readonly outcome: number | UpstreamFault | 'aborted';
  /** Milliseconds from the first byte sent to the last byte read, retries included. */
  readonly ms: number;
  readonly attempts: number;
}

/**
 * What a request lends to every upstream call made for it: its budget, its trace, and a place to write down what was asked.
 * Every port method takes one as its last argument.
 */
export interface Call {
  /** Aborts when the request's deadline has passed or its caller has gone; the adapter then stops at once. */
  readonly signal: AbortSignal;
  /** For whose workspace it is asked. No adapter looks; where workspaces have sources of their own, it says whose. */
  readonly workspace: string;
  /** W3C trace id, 32 hexadecimal digits. */
  readonly traceId: string;
  /** W3C trace flags, two hexadecimal digits. */
  readonly traceFlags: string;
  /** Called once for every call that left the building, also when it failed. */
  record(entry: CallRecord): void;
}

/**
 * Why an upstream gave no answer that can be used: `unavailable` (refused, reset, 5xx, 429, our credential refused)
 * becomes 503, `late` becomes 504, `unreadable` (cut, not JSON, not the agreed shape, a redirect, too large) 502.
 * Source: domain.md 4.9; reliability.md, "Honest failure".
 */
export type UpstreamFault = 'unavailable' | 'late' | 'unreadable';

/** The one error that an adapter throws. Its message is for the log and holds no address, no number and no name. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly bron: Bron;
  readonly fault: UpstreamFault;
  /** Seconds that the upstream asked to wait, when it said so. */
  readonly retryAfter: number | undefined;
  /** True when it is certain that the upstream did nothing; false when nobody can tell. */
  readonly undone: boolean;
  /** True when the question went out and the connection failed before there was a whole answer. */
  readonly lost: boolean;

  constructor(bron: Bron, fault: UpstreamFault, why: string, facts: UpstreamFacts = {}) {
    super(`${bron} ${fault}: ${why}`);
    this.bron = bron;
    this.fault = fault;
    this.retryAfter = facts.retryAfter;
    this.undone = facts.undone ?? false;
    this.lost = facts.lost ?? false;
  }
}

export interface UpstreamFacts {
  readonly retryAfter?: number | undefined;
  readonly undone?: boolean;
  readonly lost?: boolean;
}

/** The reason on `Call.signal` when the time of a request is up. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** The reason on `Call.signal` when nobody waits any more: the client went away, or has its answer already. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Does a part of a request's work in less time than the request has. After that many milliseconds `bron` is late. */
export async function within<Result>(
  call: Call,
  ms: number,
  bron: Bron,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlinePassed(`${bron}: nothing within ${ms} ms`)), ms);
  try {
    return await work({ ...call, signal: AbortSignal.any([call.signal, abort.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

/** True when a call was sent and no answer came: nobody can tell whether the upstream has done what it asked. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof UpstreamError && !error.undone && (error.lost || error.fault === 'late');
