import { randomUUID } from 'node:crypto';
import type { NewDocument } from '../../src/ports/documents.ts';
import type { Content } from '../http/request.ts';

/**
 * One JSON text with the content in base64. It is streamed, but its length is known in advance, because servers behind
 * uWSGI do not accept a chunked body.
 */
export const inlineContent = (metadata: object, { omvang, bytes }: NewDocument): Content =>
  framed('application/json', {
    before: `${JSON.stringify(metadata).slice(0, -1)},"inhoud":"`,
    length: 4 * Math.ceil(omvang / 3),
    bytes: () => base64(bytes()),
    after: '"}',
  });

/** The multipart/form-data body of one part: the lock, and `omvang` bytes from position `from`. */
export function partContent(document: NewDocument, from: number, omvang: number, lock: string): Content {
  const boundary = `part-${randomUUID()}`;
  const field = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return framed(`multipart/form-data; boundary=${boundary}`, {
    before: `${field('name="lock"')}\r\n${lock}\r\n${field('name="inhoud"; filename="deel.bin"')}Content-Type: application/octet-stream\r\n\r\n`,
    length: omvang,
    async *bytes() {
      for await (const piece of document.bytes(from, from + omvang)) yield Buffer.from(piece);
    },
    after: `\r\n--${boundary}--\r\n`,
  });
}

interface Frame extends Pick<Content, 'length' | 'bytes'> {
  readonly before: string;
  readonly after: string;
}

function framed(type: string, { before, length, bytes, after }: Frame): Content {
  const [start, end] = [Buffer.from(before), Buffer.from(after)];
  return {
    type,
    length: start.length + length + end.length,
    async *bytes() {
      yield start;
      yield* bytes();
      yield end;
    },
  };
}

// Three bytes make four characters, so one or two bytes at the end of a chunk are encoded together with the next one.
async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const piece =
      left.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([left, chunk]);
    const whole = piece.length - (piece.length % 3);
    // As bytes, because a socket would encode text as UTF-8, which takes longer.
    if (whole > 0) yield Buffer.from(piece.toString('base64', 0, whole), 'latin1');
    left = Buffer.from(piece.subarray(whole));
  }
  if (left.length > 0) yield Buffer.from(left.toString('base64'), 'latin1');
}
