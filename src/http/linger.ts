import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { hasTooManyChunks } from '../domain/upload-limits.ts';

/** Maximum number of bytes that are still read of a refused request. */
const MAX_BYTES = 1024 * 1024;
/** Maximum number of milliseconds for which a refused request is still read. */
const TIMEOUT = 2_000;
/** Bytes of a body that Node reads by itself after the answer, and then keeps the connection open. */
const SMALL = 64 * 1024;

/** Returns true when a large part of the request body has not been received. */
export const isUnread = (request: IncomingMessage): boolean =>
  !request.complete &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > SMALL);

/**
 * Returns a response body that is sent at once, and that ends when the rest of the request has been read, within
 * limits. A socket that is closed with unread data is reset, and a client that is still sending would not see the
 * answer.
 */
export function lingering(request: IncomingMessage, text: string): Readable {
  const body = new Readable({ read: () => undefined });
  let read = 0;
  let pieces = 0;
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', end).off('close', end);
    if (!body.destroyed) body.push(null);
  };
  const count = (chunk: Buffer): void => {
    read += chunk.length;
    pieces += 1;
    if (read > MAX_BYTES) end();
    // To read on costs more than the answer is worth.
    if (hasTooManyChunks(pieces, read)) request.destroy();
  };
  const timer = setTimeout(end, TIMEOUT);
  body.push(text);
  request.on('data', count).once('end', end).once('close', end);
  request.resume();
  return body;
}
