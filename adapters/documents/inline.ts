import type { NewDocument } from '../../src/ports/documents.ts';
import type { Content } from '../http/request.ts';

/**
 * Returns a request body with a document as one JSON text, with its content in base64. The body is streamed, but its
 * length is known in advance, because servers behind uWSGI do not accept a chunked body.
 */
export function inlineContent(metadata: object, { omvang, bytes }: NewDocument): Content {
  const before = Buffer.from(`${JSON.stringify(metadata).slice(0, -1)},"inhoud":"`);
  const after = Buffer.from('"}');
  return {
    type: 'application/json',
    length: before.length + 4 * Math.ceil(omvang / 3) + after.length,
    async *bytes() {
      yield before;
      yield* base64(bytes());
      yield after;
    },
  };
}

/**
 * Yields the bytes as base64 text. Three bytes make four characters, so one or two bytes at the end of a chunk are
 * encoded together with the next chunk.
 */
async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const piece = left.length === 0 ? viewOf(chunk) : Buffer.concat([left, chunk]);
    const whole = piece.length - (piece.length % 3);
    // As bytes, because a socket would encode text as UTF-8, which takes longer.
    if (whole > 0) yield Buffer.from(piece.toString('base64', 0, whole), 'latin1');
    left = Buffer.from(piece.subarray(whole));
  }
  if (left.length > 0) yield Buffer.from(left.toString('base64'), 'latin1');
}

/** Returns the bytes as a Buffer, without copying them. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
