import type { CallRecord } from './call.ts';

/** One part of the work for a request that is traced, other than the request itself. Times in milliseconds since 1970. */
export type TracedStep =
  | { readonly kind: 'rule'; readonly name: string; readonly source: string; readonly end: number }
  | { readonly kind: 'call'; readonly record: CallRecord; readonly end: number }
  | StatementStep;

/** A statement to the store: its verb and its table, never its text or its values. */
export interface StatementStep {
  readonly kind: 'statement';
  readonly verb: string;
  readonly table: string;
  readonly failed: boolean;
  readonly end: number;
  readonly ms: number;
}

/** A finished request with its steps. Like a log line, it names the operation and never a person, a path or a value. */
export interface TracedRequest {
  readonly traceId: string;
  /** Id of the request in its trace, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Id that the caller sent; null when it sent none. */
  readonly parentId: string | null;
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly problem: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly steps: readonly TracedStep[];
}

/** Distributed tracing. There is none unless it is configured. Its methods never throw and never wait. */
export interface Tracing {
  /** Runs `work`, and adds the statements that it sends to the store to `steps`. */
  follow<Result>(steps: TracedStep[], work: () => Result): Result;
  /** Hands a finished request over for export. */
  finished(request: TracedRequest): void;
}
