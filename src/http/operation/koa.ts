import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { koaBody } from 'koa-body';
import { hasTooManyChunks } from '../../domain/upload-limits.ts';
import { ClientDisconnected, UpstreamError } from '../../ports/call.ts';
import { Deadline } from '../../ports/deadline.ts';
import type { DocumentBytes } from '../../ports/documents.ts';
import type { Timing } from '../../ports/timing.ts';
import { Problem } from '../../problem.ts';
import { type Capacity, createCapacity } from '../capacity.ts';
import { type Answer, type Context, type Exchange, JSON_TYPE, type StreamEnd, type Transport } from '../exchange.ts';
import { requestTooSlow } from '../problems.ts';
import { bodyTooLarge, MAX_BODY } from '../request/body.ts';
import type { Operation } from './operation.ts';
import { operationRunner, type RunDeps } from './run.ts';
import { unmatched } from './unmatched.ts';

type KoaExchange = Context & Exchange;

export type KoaTransport = Transport<KoaExchange>;

/** Limits the JSON bodies that it receives at the same time (reliability.md, "Timeouts and limits"). */
export function createKoaTransport({ requestBody }: Timing): KoaTransport {
  const bodies = createCapacity({ total: MAX_BYTES, perOwner: MAX_BYTES_PER_PERSON, tooMany, full });
  return {
    readJsonBody: (ctx) => readJsonBody(ctx, bodies, requestBody),
    stream,
    onDisconnect({ res }, listener) {
      const gone = () => {
        if (!res.writableFinished) listener();
      };
      if (res.destroyed) gone();
      res.once('close', gone);
      return () => res.off('close', gone);
    },
  };
}

export function operationMiddleware(deps: RunDeps, operation: Operation, transport: KoaTransport) {
  const run = operationRunner(deps, operation, transport);
  return async (ctx: Context): Promise<void> => {
    const answer = await run(ctx as KoaExchange);
    if (answer.stream === undefined) send(ctx, answer);
  };
}

/** 404 for an unknown path; for a known path 204 for OPTIONS and 405 for another method. */
export function unmatchedMiddleware(operations: readonly Operation[]) {
  const answer = unmatched(operations);
  return (ctx: Context): void => {
    const layers: readonly { methods: string[] }[] = ctx.matched ?? [];
    send(ctx, answer(ctx as KoaExchange, new Set(layers.flatMap(({ methods }) => methods))));
  };
}

type Middleware = ReturnType<typeof koaBody>;

// It only reads the bytes: its parser for JSON would parse a text whose limits are not checked yet, and replace bytes
// that are not UTF-8. Imported at first use, because its import would slow down the start.
let reader: Promise<Middleware> | undefined;
const jsonReader = (): Promise<Middleware> => {
  reader ??= import('koa-body').then(
    ({ koaBody }) =>
      koaBody({
        multipart: false,
        urlencoded: false,
        json: false,
        textTypes: ['application/json'],
        textLimit: MAX_BODY,
        encoding: '',
      }),
    (cause: NodeJS.ErrnoException) => {
      // The process may open no more files at this moment: the next request tries again.
      reader = undefined;
      throw cannotRead(cause);
    },
  );
  return reader;
};

/**
 * Returns the bytes of a JSON body. Throws 408 for a late body, 413 above `MAX_BODY` bytes, 400 for an incomplete one,
 * 429 or 503 for a limit of `bodies`, and `ClientDisconnected` for too many small chunks.
 *
 * @param timeout - milliseconds within which the whole body must arrive
 */
async function readJsonBody(ctx: Context, bodies: Capacity, timeout: number): Promise<Uint8Array> {
  const read = await jsonReader();
  const parsed = ctx as Parameters<Middleware>[0];
  const leave = countIn(ctx, bodies);
  // `readBody` has refused every coding but `identity`, which koa-body knows in lower case only.
  delete ctx.req.headers['content-encoding'];
  // koa-body keeps what has arrived until it ends, also when the body is refused before that.
  const reading = () => read(parsed, async () => undefined).finally(leave);
  await receive(ctx.req, timeout, reading).catch((error) => {
    throw unreadBody(error);
  });
  const bytes: unknown = parsed.request.body;
  return bytes instanceof Uint8Array ? bytes : new Uint8Array();
}

// Returns a function to call when the body is no longer in memory. The announced size is counted, so that a body is
// refused before it is sent. A body that arrived together with its headers is not, because it does not wait for the
// client.
function countIn({ req, state }: Context, bodies: Capacity): () => void {
  const announced = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (req.complete || req.readableLength >= announced) return () => undefined;
  const [person, size] = [state.caller?.subject ?? '', Math.min(announced, MAX_BODY)];
  bodies.take(person, size);
  return () => bodies.release(person, size);
}

// Throws 408 for a late body, and `ClientDisconnected` for too many small chunks, because each chunk costs CPU time.
function receive(request: IncomingMessage, timeout: number, read: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let chunks = 0;
    let bytes = 0;
    const stop = (): void => {
      deadline.cancel();
      request.off('data', check);
    };
    const refuse = (error: Error): void => {
      stop();
      reject(error);
    };
    const check = (chunk: Buffer): void => {
      chunks += 1;
      bytes += chunk.length;
      if (!hasTooManyChunks(chunks, bytes)) return;
      refuse(new ClientDisconnected('the client sent its body a few bytes at a time'));
      // Without an answer, because reading the rest of the body first would cost the CPU time that this check saves.
      request.destroy();
    };
    const deadline = new Deadline(timeout, () => refuse(requestTooSlow()));
    request.on('data', check);
    read().finally(stop).then(resolve, reject);
  });
}

const NOT_WHOLE = { detail: 'De inhoud kwam niet volledig aan.', english: 'The body did not arrive completely.' };

function unreadBody(error: unknown): unknown {
  if (error instanceof Problem || error instanceof ClientDisconnected) return error;
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') return bodyTooLarge();
  return new Problem('ongeldig-verzoek', NOT_WHOLE, { cause: error });
}

// Of all JSON bodies that this process receives at the same time.
const MAX_BYTES = 32 * 1024 * 1024;
// Sixteen of the largest bodies, or a thousand small ones, as a test that makes load with one person sends them.
const MAX_BYTES_PER_PERSON = 4 * 1024 * 1024;

const headers = { 'Retry-After': '2' };

const tooMany = (): Problem =>
  new Problem('te-veel-verzoeken', 'U stuurt te veel tegelijk. Wacht tot eerdere verzoeken helemaal zijn aangekomen.', {
    headers,
  });

const full = (): Problem =>
  new Problem('overbelast', 'Er komen nu te veel verzoeken tegelijk binnen. Probeer het zo opnieuw.', {
    headers,
    reason: 'the JSON bodies that are being received take the maximum number of bytes',
  });

const cannotRead = (cause: NodeJS.ErrnoException): Problem =>
  new Problem('overbelast', 'De inhoud kan nu niet worden gelezen. Probeer het zo opnieuw.', {
    headers,
    cause,
    reason: `what reads a JSON body cannot be loaded: ${cause.code ?? 'unknown'}`,
  });

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
async function stream(ctx: Context, from: DocumentBytes, answer: Answer): Promise<StreamEnd> {
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

// An answer with this status has no `Content-Length` (RFC 9110, 8.6).
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
