import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import type { NewDocument } from '../../src/ports/documents.ts';
import type { HttpClient } from '../http/client.ts';
import { type Content, DOCUMENT_TIMEOUT } from '../http/request.ts';
import { type BestandsdeelWire, DocumentWire, PATH } from './wire.ts';

const Anything = z.unknown();

/**
 * Sends a document's content in the parts that the document store asked for, and then unlocks the document. Throws
 * `UpstreamError` when a request fails.
 */
export async function sendParts(
  ask: HttpClient['ask'],
  document: NewDocument,
  { url: key, bestandsdelen, lock }: DocumentWire,
  call: Call,
): Promise<void> {
  let from = 0;
  for (const deel of [...(bestandsdelen ?? [])].sort((a, b) => a.volgnummer - b.volgnummer)) {
    await ask(
      {
        method: 'PUT',
        path: `/bestandsdelen/${deel.url}`,
        content: partContent(document, from, deel, lock ?? ''),
        schema: Anything,
        headersTimeout: DOCUMENT_TIMEOUT,
      },
      call,
    );
    from += deel.omvang;
  }
  await unlock(ask, key, lock ?? '', call);
}

/**
 * Deletes a document of which parts are missing. It first sets the size of the document to 0, because the document
 * store can otherwise neither unlock nor delete it. Throws `UpstreamError` when a step fails.
 */
export async function deleteUnfinished(ask: HttpClient['ask'], key: string, lock: string, call: Call): Promise<void> {
  const path = `${PATH}/${key}`;
  await ask(
    { method: 'PATCH', path, body: { lock, inhoud: null, bestandsomvang: 0 }, schema: DocumentWire, isLong: true },
    call,
  );
  await unlock(ask, key, lock, call);
  await ask(
    { method: 'DELETE', path, schema: Anything, otherwise: (status) => (status === 204 ? null : undefined) },
    call,
  );
}

const unlock = (ask: HttpClient['ask'], key: string, lock: string, call: Call): Promise<unknown> =>
  ask(
    {
      method: 'POST',
      path: `${PATH}/${key}/unlock`,
      body: { lock },
      schema: Anything,
      otherwise: (status) => (status === 204 ? null : undefined),
    },
    call,
  );

/**
 * Returns the multipart/form-data body of one part of a document: the lock of the document, and its bytes from position
 * `from`.
 */
function partContent(document: NewDocument, from: number, { omvang }: BestandsdeelWire, lock: string): Content {
  const boundary = `part-${randomUUID()}`;
  const field = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const before = Buffer.from(
    `${field('name="lock"')}\r\n${lock}\r\n${field('name="inhoud"; filename="deel.bin"')}Content-Type: application/octet-stream\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: before.length + omvang + after.length,
    async *bytes() {
      yield before;
      for await (const piece of document.bytes(from, from + omvang)) yield Buffer.from(piece);
      yield after;
    },
  };
}
