import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { UpstreamError } from '../ports/call.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './answer.ts';
import { freeBuffers } from './buffers.ts';
import type { StreamEnd } from './exchange.ts';
import { startAnswer } from './send.ts';
import type { Context } from './state.ts';

/** Minimum number of bytes per second that must reach the client, averaged over `WINDOW` seconds. */
const MIN_RATE = 4 * 1024;
/** Seconds over which the rate is averaged. */
const WINDOW = 30;
const SECOND = 1_000;
/** Size of one write in bytes. The number of bytes that a client has read is known with this precision. */
const WRITE_SIZE = 64 * 1024;

/**
 * Sends a stream of bytes to the client, no faster than the client reads, and returns how that ended. Resets the
 * connection when the stream fails, when it has not exactly `length` bytes, and when less than `MIN_RATE` reaches the
 * client. When the client is the slow side, this too returns `client-left`. Never rejects.
 */
export async function stream(ctx: Context, from: DocumentBytes, answer: Answer): Promise<StreamEnd> {
  const bytes = from instanceof Readable ? from : Readable.from(from);
  const { length = 0 } = answer;
  const { req, res } = ctx;
  startAnswer(ctx, answer, length);
  // A reset also frees the kernel's send buffer for this client.
  const cut = () => req.socket.resetAndDestroy();
  const done = watchRate(res, { clientIsSlow: cut, storeIsSlow: () => bytes.destroy(tooSlow()) });
  try {
    await sendExactly(bytes, res, length);
    return 'complete';
  } catch (error) {
    bytes.destroy();
    // The answer has started, so the error can only be logged.
    ctx.state.error = error;
    // The client closed the connection before this function did.
    const clientLeft = req.socket.destroyed;
    if (!clientLeft) ctx.state.isBrokenOff = true;
    cut();
    return clientLeft ? 'client-left' : 'failed';
  } finally {
    done();
  }
}

/**
 * Writes the bytes of `source` to `res`, no faster than the client reads, and ends `res`. Rejects before the answer is
 * complete when there are not exactly `length` bytes. It uses events, because a generator in a `pipeline` takes a
 * quarter more CPU time.
 */
async function sendExactly(source: Readable, res: ServerResponse, length: number): Promise<void> {
  let seen = 0;
  let last: Uint8Array | undefined;
  source.on('data', (chunk: Uint8Array) => {
    seen += chunk.length;
    freeBuffers(chunk.length);
    if (seen > length) {
      source.destroy(new Error('longer than it should be'));
      return;
    }
    const isComplete = seen === length;
    if (isComplete && chunk.length > 0) last = chunk.subarray(-1);
    if (!res.write(isComplete ? chunk.subarray(0, -1) : chunk)) source.pause();
  });
  res.on('drain', () => source.resume());
  const read = finished(source).then(() => {
    if (seen !== length) throw new Error('shorter than it should be');
    res.end(last);
  });
  await Promise.all([read, finished(res)]);
}

const tooSlow = () => new UpstreamError('documenten', 'unreadable', 'body: slower than the minimum rate');

/** What is called when the rate of a transfer is too low, by the side that is slow. */
interface SlowSides {
  clientIsSlow(): void;
  storeIsSlow(): void;
}

/**
 * Checks every second how many bytes reach the client, and calls a function of `sides` when that is less than `MIN_RATE`.
 * Returns a function that stops the check.
 */
function watchRate({ socket }: ServerResponse, sides: SlowSides): () => void {
  /** Total bytes that the client had read, for each of the last `WINDOW` seconds. */
  const seconds: number[] = [];
  const timer = setInterval(() => {
    const waiting = socket?.writableLength ?? 0;
    const taken = (socket?.bytesWritten ?? 0) - waiting;
    seconds.push(taken);
    if (seconds.length <= WINDOW) return;
    const before = seconds.shift() ?? 0;
    if (taken + WRITE_SIZE - before >= MIN_RATE * WINDOW) return;
    // When nothing is waiting for the client, the document store is the slow side.
    if (waiting === 0) sides.storeIsSlow();
    else sides.clientIsSlow();
  }, SECOND);
  return () => clearInterval(timer);
}
