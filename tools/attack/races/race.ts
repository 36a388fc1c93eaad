import type fc from 'fast-check';
import type { CallOptions, Reply } from '../../../test/support/service.ts';
import type { Table } from './linearizable.ts';

/** Sends one request to one of the instances. */
export type Send = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** One round that was set up: the state at its start, and a function that sends an operation. */
export interface Round<State, Op> {
  readonly initial: State;
  run(send: Send, op: Op): Promise<Reply>;
  /** Returns, as sentences, what the upstreams contain that does not agree with the state at the end of the round. */
  faults?(send: Send, end: State): Promise<readonly string[]>;
}

/** Operations that are sent to several instances at once, and the state table that their answers must obey. */
export interface Race<State, Op> {
  /** Makes the random operations of a round. */
  readonly ops: fc.Arbitrary<Op>;
  /** Operations that are sent one after another when all others have ended. */
  readonly reads: readonly Op[];
  readonly table: Table<State, Op, Reply>;
  /** Creates the data that a round needs, in this world, and returns the round. */
  prepare(send: Send, world: string): Promise<Round<State, Op>>;
}

/** Throws when a request that sets up a round is refused. Returns its body. */
export function made(reply: Reply): Reply['body'] {
  if (reply.status >= 300) throw new Error(`a round was not set up: ${reply.status} ${reply.body.code}`);
  return reply.body;
}
