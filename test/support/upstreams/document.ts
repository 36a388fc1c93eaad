import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { NewDocument } from '../../../src/ports/documents.ts';

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Returns a new document for the document store, with `size` random bytes, or with the given content. Its content is
 * read in chunks of at most `piece` bytes. Members in `over` replace those of the document.
 */
export function newDocument(size: number | Buffer, over: Partial<NewDocument> = {}, piece = 64 * 1024): NewDocument {
  const content = typeof size === 'number' ? randomBytes(size) : size;
  return {
    identificatie: `ZR-${randomUUID().replaceAll('-', '')}`,
    titel: 'diploma.pdf',
    bestandsnaam: 'diploma.pdf',
    formaat: 'application/pdf',
    omvang: content.length,
    sha256: hashOf(content),
    ontvangstdatum: '2026-06-01',
    beschrijving: 'diploma, bij registratie',
    async *bytes(from = 0, to = content.length) {
      for (let at = from; at < to; at += piece) yield content.subarray(at, Math.min(at + piece, to));
    },
    ...over,
  };
}

export async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
