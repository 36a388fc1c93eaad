import type { ParameterizedContext } from 'koa';
import type { Caller } from '../auth/identity.ts';
import type { CallRecord } from '../ports/call.ts';
import type { Operation } from './operation.ts';
import type { Trace } from './trace.ts';

/** What is known of one request while it passes; the log line is written from it. */
export interface State {
  trace: Trace;
  /** Which operation it turned out to be; undefined for unknown paths and verbs. */
  operation?: Operation;
  caller?: Caller;
  /** The upstream calls that it caused, in the order in which they ended. */
  upstream: CallRecord[];
  /** Code of the problem that was answered. */
  problem?: string;
  /** Why, in our own words, where the answer does not tell. */
  reason?: string;
  /** What went wrong inside; for the log, never for the answer. */
  error?: unknown;
}

export type Context = ParameterizedContext<State>;
export type Next = () => Promise<unknown>;
