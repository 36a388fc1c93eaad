import { randomUUID } from 'node:crypto';
import { type Call, type CallRecord, changedCall } from '../../src/ports/call.ts';

/** A `Call` for one upstream call, with the W3C span id of that upstream call. A retry has the same span id. */
export type TracedCall = Call & { readonly spanId: string };

/**
 * Returns a random W3C span id of 16 hexadecimal digits. Uses `randomUUID`, which Node caches, because `randomBytes` is
 * a system call each time.
 */
function spanId(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}

/**
 * Returns a copy of `call` for one upstream call, with a new span id, which is in its `traceparent` header and its
 * record.
 */
export function withSpan(call: Call): TracedCall {
  const id = spanId();
  return changedCall(call, { spanId: id, record: (entry: CallRecord) => call.record({ ...entry, spanId: id }) });
}
