import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import type { NewDocument } from '../../src/ports/documents.ts';
import type { HttpClient } from '../http/client.ts';
import { parseRefusal } from '../http/refusal.ts';
import type { Content } from '../http/request.ts';
import { type BestandsdeelWire, DocumentWire, PATH } from './wire.ts';

const Anything = z.unknown();
const Sent = Anything.transform(() => 'sent' as const);

/** Returns the lock of an unfinished document: its own or, when the store gives it none, that of a part. */
export const lockOf = ({ lock, bestandsdelen }: DocumentWire): string | undefined =>
  lock || bestandsdelen?.find((deel) => deel.lock)?.lock || undefined;

/**
 * Sends a document's content in the parts that the document store asked for, and then unlocks the document. Throws
 * `UpstreamError` when a request fails.
 */
export async function sendParts(
  ask: HttpClient['ask'],
  document: NewDocument,
  made: DocumentWire,
  call: Call,
): Promise<void> {
  const lock = lockOf(made) ?? '';
  let from = 0;
  for (const deel of [...(made.bestandsdelen ?? [])].sort((a, b) => a.volgnummer - b.volgnummer)) {
    const position = from;
    const content = (withLock: string) => partContent(document, position, deel, withLock);
    // Some versions of a store give a part a wrong lock.
    const locks = [...new Set([deel.lock || lock, lock])];
    await sendPart(ask, deel, content, locks, call);
    from += deel.omvang;
  }
  await unlock(ask, made.url, lock, call);
}

/** Sends one part with the first of these locks, and with the next one when the document store refuses that lock. */
async function sendPart(
  ask: HttpClient['ask'],
  deel: BestandsdeelWire,
  content: (lock: string) => Content,
  [lock = '', ...others]: readonly string[],
  call: Call,
): Promise<void> {
  const answer = await ask(
    {
      method: 'PUT',
      operation: 'part',
      path: `/bestandsdelen/${deel.url}`,
      content: content(lock),
      schema: Sent,
      headersTimeout: 'documentHeaders',
      otherwise: (_, json) =>
        others.length > 0 && parseRefusal(json).codes.includes('incorrect-lock-id') ? 'wrong lock' : undefined,
    },
    call,
  );
  if (answer === 'wrong lock') await sendPart(ask, deel, content, others, call);
}

/**
 * Deletes a document of which parts are missing. It first sets the size of the document to 0, because the document
 * store can otherwise neither unlock nor delete it. Throws `UpstreamError` when a step fails.
 */
export async function deleteUnfinished(ask: HttpClient['ask'], key: string, lock: string, call: Call): Promise<void> {
  const path = `${PATH}/${key}`;
  const body = { lock, inhoud: null, bestandsomvang: 0 };
  await ask({ method: 'PATCH', operation: 'empty', path, body, schema: DocumentWire, isLong: true }, call);
  await unlock(ask, key, lock, call);
  await ask(
    {
      method: 'DELETE',
      operation: 'delete',
      path,
      schema: Anything,
      otherwise: (status) => (status === 204 ? null : undefined),
    },
    call,
  );
}

const unlock = (ask: HttpClient['ask'], key: string, lock: string, call: Call): Promise<unknown> =>
  ask(
    {
      method: 'POST',
      operation: 'unlock',
      path: `${PATH}/${key}/unlock`,
      body: { lock },
      schema: Anything,
      otherwise: (status) => (status === 204 ? null : undefined),
    },
    call,
  );

/**
 * Returns the multipart/form-data body of one part of a document: its lock, and its bytes from position
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
