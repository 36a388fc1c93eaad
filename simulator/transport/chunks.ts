import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { DeliveredAnswer } from './delivery.ts';

/**
 * Returns the `Content-Length` of a simulated response in bytes: the length of the whole body, also when a fault sends
 * only a part of it. It is at least 1 for the faults `cut` and `drip`, which need a byte to send.
 */
export function announcedLength({ body, cut, dripInterval }: DeliveredAnswer): number {
  const size = sizeOf(body);
  // A `cut` or `drip` fault needs at least one byte.
  return cut || dripInterval !== undefined ? Math.max(1, size) : size;
}

const sizeOf = (body: DeliveredAnswer['body']): number =>
  body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.size;

/** The first half for a fault `cut`; one byte at a time with pauses for a fault `drip`. */
export async function* chunksOf(answer: DeliveredAnswer): AsyncGenerator<Uint8Array, void> {
  const { body, cut, dripInterval } = answer;
  const length = cut ? Math.floor(sizeOf(body) / 2) : sizeOf(body);
  const whole = length === 0 ? [] : bytesOf(body, length);
  if (dripInterval === undefined) {
    yield* whole;
    return;
  }
  for await (const chunk of whole)
    for (let at = 0; at < chunk.length; at += 1) {
      await setTimeout(dripInterval);
      yield chunk.subarray(at, at + 1);
    }
  if (length > 0) return;
  await setTimeout(dripInterval);
  yield new Uint8Array([SPACE]);
}

const SPACE = 0x20;

/** Returns the first `length` bytes of a body. The body may not be empty. */
function bytesOf(body: DeliveredAnswer['body'], length: number): AsyncIterable<Uint8Array> | Uint8Array[] {
  if (typeof body === 'string') return [Buffer.from(body).subarray(0, length)];
  return body === null ? [] : createReadStream(body.path, { end: length - 1 });
}
