import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './answer.ts';
import type { Context } from './state.ts';

/** Bytes that a client takes in a second, on average over so many seconds. A phone on the slowest network takes more. */
const RATE = 4 * 1024;
const WINDOW = 30;
const SECOND = 1_000;
/** Bytes that are written at once: it is known to within so many what has been taken. */
const AT_ONCE = 64 * 1024;

/**
 * Sends bytes as they come, no faster than they are read. Bytes that break off, or are more or fewer than the answer says, and a
 * client that takes fewer than `RATE`, cut the connection: a client must never take part of a document for the whole.
 */
export async function stream(
  ctx: Context,
  from: DocumentBytes,
  { status, headers, length = 0 }: Answer,
): Promise<void> {
  const bytes = from instanceof Readable ? from : Readable.from(from);
  ctx.status = status;
  ctx.set({ ...headers, 'Content-Length': String(length) });
  ctx.respond = false;
  const { req, res } = ctx;
  // A reset frees what the kernel keeps for this client.
  const cut = () => req.socket.resetAndDestroy();
  const done = watchReader(res, cut);
  try {
    await pipeline(bytes, (source: AsyncIterable<Uint8Array>) => exactly(source, length), res, { end: false });
    res.end();
    await finished(res);
  } catch (error) {
    // There is nobody left to tell; the log line is.
    ctx.state.error = error;
    cut();
  } finally {
    done();
  }
}

/**
 * The bytes of `source`, exactly `length` of them. Throws before the last byte is given when there are more or fewer, so
 * that no client has a whole answer of them.
 */
async function* exactly(source: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of source) {
    if (chunk.length === 0) continue;
    seen += chunk.length;
    if (seen > length) throw new Error('longer than it should be');
    if (seen === length) last = chunk.subarray(-1);
    yield seen === length ? chunk.subarray(0, -1) : chunk;
  }
  if (seen !== length) throw new Error('shorter than it should be');
  if (last !== undefined) yield last;
}

/** Calls `cut` when the reader of an answer takes fewer than `RATE`; the result ends the watch. */
function watchReader({ socket }: ServerResponse, cut: () => void): () => void {
  /** Bytes taken at the end of each second in which some waited to be taken: the last window of them. */
  let seconds: number[] = [];
  const timer = setInterval(() => {
    const waiting = socket?.writableLength ?? 0;
    // Nothing waits: it is the store that has to go on.
    if (waiting === 0) seconds = [];
    else {
      const taken = (socket?.bytesWritten ?? 0) - waiting;
      seconds.push(taken);
      if (seconds.length <= WINDOW) return;
      const before = seconds.shift() ?? 0;
      if (taken + AT_ONCE - before < RATE * WINDOW) cut();
    }
  }, SECOND);
  return () => clearInterval(timer);
}
