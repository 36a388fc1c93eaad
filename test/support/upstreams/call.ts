import type { Call, CallRecord } from '../../../src/ports/call.ts';

export interface TestCall extends Call {
  readonly records: CallRecord[];
}

/**
 * Returns the context (`Call`) that a test passes to an adapter. `records` gets a record of each call to the upstream.
 */
export function testCall(signal: AbortSignal = new AbortController().signal): TestCall {
  const records: CallRecord[] = [];
  return {
    stop: signal,
    signal,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    workspace: 'default',
    traceFlags: '01',
    records,
    record: (entry) => records.push(entry),
  };
}
