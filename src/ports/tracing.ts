import type { CallRecord } from './call.ts';

/** `end` is in milliseconds since 1970. */
export type TracedStep =
  | { readonly kind: 'rule'; readonly name: string; readonly source: string; readonly end: number }
  | { readonly kind: 'call'; readonly record: CallRecord; readonly end: number }
  | StatementStep;

/**
 * `verb` is in lower case, `table` is empty when unknown, `end` is in milliseconds since 1970 and `ms` is the duration.
 */
export interface StatementStep {
  readonly kind: 'statement';
  readonly verb: string;
  readonly table: string;
  readonly failed: boolean;
  readonly end: number;
  readonly ms: number;
}

/** Contains no personal data. `start` and `end` are in milliseconds since 1970. */
export interface TracedRequest {
  readonly traceId: string;
  /** Span id of the request, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Id of the caller's own span, from the header `traceparent`; null when the caller sent none. */
  readonly parentId: string | null;
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly problem: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly steps: readonly TracedStep[];
}

/** The exporter of request traces. Its methods do not wait for the export, and never throw because of it. */
export interface Tracing {
  /** Each database statement that `work` executes, at once or later, is added to `steps`. */
  follow<Result>(steps: TracedStep[], work: () => Result): Result;
  /** Exports the trace of a finished request. */
  finished(request: TracedRequest): void;
}
