import type fc from 'fast-check';
import type { CallOptions, Reply } from '../../support/service.ts';
import type { Table } from './linearizable.ts';

/** Sends one request to one of the instances. */
export type Send = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** What was set up for one round: the state at its start, and how an operation is sent. */
export interface Round<State, Op> {
  readonly initial: State;
  run(send: Send, op: Op): Promise<Reply>;
  /** Returns what the upstreams have that the state does not allow, as sentences. */
  faults?(send: Send, end: State): Promise<readonly string[]>;
}

/** Operations that are sent to several instances at once, and the state table that their answers must obey. */
export interface Race<State, Op> {
  /** The operations of which a round takes a few at random. */
  readonly ops: fc.Arbitrary<Op>;
  /** Operations that are sent one after another when all others have ended. */
  readonly reads: readonly Op[];
  readonly table: Table<State, Op, Reply>;
  /** Makes what a round needs, in a world of the caller's choice. */
  prepare(send: Send, world: string): Promise<Round<State, Op>>;
}

/** Throws when a request that sets up a round is refused. Returns its body. */
export function made(reply: Reply): Reply['body'] {
  if (reply.status >= 300) throw new Error(`a round was not set up: ${reply.status} ${reply.body.code}`);
  return reply.body;
}
