import type { CallRecord } from './call.ts';

/**
 * One step of the work for a request, for its trace: a rule, an upstream call or a database statement. `end` is in
 * milliseconds since 1970.
 */
export type TracedStep =
  | { readonly kind: 'rule'; readonly name: string; readonly source: string; readonly end: number }
  | { readonly kind: 'call'; readonly record: CallRecord; readonly end: number }
  | StatementStep;

/**
 * A database statement, described only by its verb in lower case and its table (an empty text when it names none).
 * `end` is in milliseconds since 1970, and `ms` is its duration in milliseconds.
 */
export interface StatementStep {
  readonly kind: 'statement';
  readonly verb: string;
  readonly table: string;
  readonly failed: boolean;
  readonly end: number;
  readonly ms: number;
}

/**
 * A finished request with its steps, for export. It names the operation, but never a person, a path or a value. `start`
 * and `end` are in milliseconds since 1970.
 */
export interface TracedRequest {
  readonly traceId: string;
  /** Id of the request in its trace, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Id of the caller's own span, as the caller sent it; null when it sent none. */
  readonly parentId: string | null;
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly problem: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly steps: readonly TracedStep[];
}

/**
 * The exporter of request traces (distributed tracing). Its methods do not wait for the export, and no failure of the
 * export makes them throw.
 */
export interface Tracing {
  /**
   * Calls `work` and returns its result. Adds each database statement that `work` sends to `steps`, also when `work` is
   * asynchronous.
   */
  follow<Result>(steps: TracedStep[], work: () => Result): Result;
  /** Queues a finished request for export. */
  finished(request: TracedRequest): void;
}
