import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UpstreamError } from '../ports/call.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import { type Answer, type Context, JSON_TYPE, type StreamEnd } from './exchange.ts';

// Bytes per second that must reach the client, averaged over `WINDOW` seconds.
const MIN_RATE = 4 * 1024;
const WINDOW = 30;
const SECOND = 1_000;
// Bytes. What a client has read is known with this precision.
const WRITE_SIZE = 64 * 1024;

/**
 * Sends bytes no faster than the client reads. Resets the connection when the stream fails, has not exactly `length`
 * bytes, or less than `MIN_RATE` reaches the client; this too is `client-left` when the client is the slow side. Never
 * rejects.
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

// Rejects before the answer is complete when there are not exactly `length` bytes. It uses events, because a generator
// in a `pipeline` takes a quarter more CPU time.
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

interface SlowSides {
  clientIsSlow(): void;
  storeIsSlow(): void;
}

function watchRate({ socket }: ServerResponse, sides: SlowSides): () => void {
  // Total that the client had read, for each of the last `WINDOW` seconds.
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

// It has no `Content-Length` (RFC 9110, 8.6).
const NO_CONTENT = 204;

/**
 * Starts an answer whose body the caller writes to `ctx.res`. Node gets the status and all headers at once: to set each
 * header, and to let Koa send the answer, takes a quarter of the CPU time of a small request (docs/performance.md).
 * `headers` replace those in `ctx.state.headers`.
 */
export function startAnswer(ctx: Context, { status, headers }: Answer, length: number): void {
  const all: Record<string, string> = { ...ctx.state.headers, ...headers };
  if (status !== NO_CONTENT) all['Content-Length'] = String(length);
  ctx.res.writeHead(status, all);
  ctx.respond = false;
  // After `writeHead`, which throws for an invalid header: the problem answer that follows must not have that header.
  ctx.state.headers = all;
}

/** Sends nothing when the client has left. */
export function send(ctx: Context, answer: Answer): void {
  const { body, headers } = answer;
  if (body === undefined) {
    end(ctx, answer, answer.length ?? 0);
  } else if (body instanceof Uint8Array) {
    end(ctx, answer, body.byteLength, body);
  } else {
    const isText = typeof body === 'string';
    const text = isText ? body : JSON.stringify(body);
    ctx.state.answered = text;
    const typed = isText ? answer : { ...answer, headers: { ...headers, 'Content-Type': JSON_TYPE } };
    end(ctx, typed, Buffer.byteLength(text), text);
  }
}

function end(ctx: Context, answer: Answer, length: number, body?: string | Uint8Array): void {
  ctx.respond = false;
  if (!ctx.writable) return;
  startAnswer(ctx, answer, length);
  ctx.res.end(body);
}

// Bytes that arrive before V8 is asked to free their buffers.
const BETWEEN_COLLECTIONS = 16 * 1024 * 1024;

let arrived = 0;
let collect: NodeJS.GCFunction | undefined;

/**
 * Frees the buffers of sockets after every 16 MB that arrived. They are outside the heap, and V8 does not count them
 * when it decides whether young objects must be collected: about 100 MB would wait during many uploads, and downloads
 * would cause many full collections. Source: docs/decisions/0017.
 */
export function freeBuffers(bytes: number): void {
  arrived += bytes;
  if (arrived < BETWEEN_COLLECTIONS) return;
  arrived = 0;
  collect ??= exposeCollector();
  collect({ type: 'minor', execution: 'sync' });
}

// The option is set only while the function is made: Node does not use compiled code of a process with other options,
// so a start with `--expose-gc` takes longer.
function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
