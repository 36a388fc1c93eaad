import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './operation.ts';
import type { Context } from './state.ts';

/** Milliseconds for which a client may take nothing at all. */
const STANDSTILL = 30_000;

/**
 * Sends bytes as they come, no faster than they are read. What breaks off, or is longer or shorter than it should be, cuts the
 * connection: a client must never take half a document for a whole one.
 */
export async function stream(ctx: Context, from: DocumentBytes, { status, headers, length }: Answer): Promise<void> {
  const bytes = from instanceof Readable ? from : Readable.from(from);
  ctx.status = status;
  ctx.set({ ...headers, 'Content-Length': String(length) });
  ctx.respond = false;
  const { req, res } = ctx;
  let sent = 0;
  bytes.on('data', (chunk: Buffer) => {
    sent += chunk.length;
    if (sent > (length ?? 0)) bytes.destroy(new Error('longer than it should be'));
  });
  const cut = () => res.destroy();
  req.socket.setTimeout(STANDSTILL, cut);
  try {
    await pipeline(bytes, res, { end: false });
    if (sent !== length) throw new Error('shorter than it should be');
    res.end();
    await finished(res);
  } catch (error) {
    // There is nobody left to tell; the log line is.
    ctx.state.error = error;
    cut();
  } finally {
    req.socket.off('timeout', cut);
    req.socket.setTimeout(0);
  }
}
