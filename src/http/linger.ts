import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { hasTooManyPieces } from '../domain/upload-limits.ts';

/** Bytes and milliseconds for which the rest of a refused request is still read. */
const MOST = 1024 * 1024;
const PATIENCE = 2_000;
/** Bodies up to here arrive by themselves; Node reads them and keeps the connection. */
const SMALL = 64 * 1024;

/** Whether much of a request is still to come when it is refused. */
export const isUnread = (request: IncomingMessage): boolean =>
  !request.complete &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > SMALL);

/**
 * A body that goes out at once and ends when the rest of the request has been read, within bounds. A socket that is closed
 * with something unread is reset, and the client, still writing, would never see why it was refused.
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
    if (read > MOST) end();
    // To read on costs more than the answer is worth.
    if (hasTooManyPieces(pieces, read)) request.destroy();
  };
  const timer = setTimeout(end, PATIENCE);
  body.push(text);
  request.on('data', count).once('end', end).once('close', end);
  request.resume();
  return body;
}
