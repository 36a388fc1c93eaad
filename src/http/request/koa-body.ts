import type { IncomingMessage } from 'node:http';
import type { koaBody } from 'koa-body';
import { hasTooManyChunks } from '../../domain/upload-limits.ts';
import { ClientDisconnected } from '../../ports/call.ts';
import { Problem } from '../../problem.ts';
import type { JsonText } from '../exchange.ts';
import { requestTooSlow } from '../refusals.ts';
import type { Context } from '../state.ts';
import { bodyTooLarge, MAX_BODY, notUtf8 } from './body.ts';
import type { IncomingBodies } from './incoming-bodies.ts';
import { createUtf8Check } from './utf8-check.ts';

/** Milliseconds within which the whole body must arrive; a later body is refused with 408. */
const BODY_TIMEOUT = 15_000;

type Middleware = ReturnType<typeof koaBody>;

/**
 * The koa-body middleware, for JSON only. It is imported at first use, because its import would slow down the start of
 * the service.
 */
let reader: Promise<Middleware> | undefined;
const jsonReader = (): Promise<Middleware> => {
  reader ??= import('koa-body').then(({ koaBody }) =>
    koaBody({
      multipart: false,
      urlencoded: false,
      text: false,
      jsonLimit: MAX_BODY,
      jsonStrict: false,
      includeUnparsed: true,
    }),
  );
  return reader;
};

/**
 * Returns the text of a JSON request body, and its parsed value when the text is valid JSON. Throws 408 for a late
 * body, 413 above `MAX_BODY` bytes, 400 for a body that is incomplete or not UTF-8, 429 or 503 for a limit of `bodies`,
 * and `ClientDisconnected` for too many small chunks.
 */
export async function readJsonBody(ctx: Context, bodies: IncomingBodies): Promise<JsonText> {
  const read = await jsonReader();
  const parsed = ctx as Parameters<Middleware>[0];
  const leave = countIn(ctx, bodies);
  // `readBody` has refused every coding but `identity`, which koa-body knows in lower case only.
  delete ctx.req.headers['content-encoding'];
  // koa-body keeps what has arrived until it ends, also when the body is refused before that.
  const reading = () => read(parsed, async () => undefined).finally(leave);
  const { isUtf8, error } = await receive(ctx.req, reading);
  const { rawBody, body } = parsed.request;
  // An empty body has no value, whatever koa-body makes of it.
  const json = error !== undefined ? { text: textOf(error) } : rawBody ? { text: rawBody, value: body } : { text: '' };
  // koa-body would silently replace bytes that are not UTF-8.
  if (!isUtf8) throw notUtf8();
  return json;
}

/**
 * Counts the body in `bodies`, and returns a function to call when it is no longer in memory. A body that arrived
 * together with its headers is not counted, because it does not wait for the client.
 */
function countIn({ req, state }: Context, bodies: IncomingBodies): () => void {
  const announced = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (req.complete || req.readableLength >= announced) return () => undefined;
  return bodies.admit(state.caller?.subject ?? '', Math.min(announced, MAX_BODY));
}

/**
 * Calls `read`, which reads the request body. Resolves with whether the body is UTF-8, and with the error when `read`
 * throws. Rejects with 408 for a late body, and with `ClientDisconnected` for too many small chunks, because each chunk
 * costs CPU time.
 */
function receive(
  request: IncomingMessage,
  read: () => Promise<void>,
): Promise<{ readonly isUtf8: boolean; readonly error?: unknown }> {
  return new Promise((resolve, reject) => {
    const utf8 = createUtf8Check();
    let chunks = 0;
    let bytes = 0;
    const stop = (): void => {
      clearTimeout(timer);
      request.off('data', check);
    };
    const refuse = (error: Error): void => {
      stop();
      reject(error);
    };
    const check = (chunk: Buffer): void => {
      utf8.add(chunk);
      chunks += 1;
      bytes += chunk.length;
      if (!hasTooManyChunks(chunks, bytes)) return;
      refuse(new ClientDisconnected('the client sent its body a few bytes at a time'));
      // Without an answer, because reading the rest of the body first would cost the CPU time that this check saves.
      request.destroy();
    };
    const done = (error?: unknown): void => {
      stop();
      resolve({ isUtf8: utf8.isValid(), error });
    };
    const timer = setTimeout(() => refuse(requestTooSlow()), BODY_TIMEOUT);
    request.on('data', check);
    read().then(() => done(), done);
  });
}

/**
 * Returns the text of a body that koa-body read but could not parse as JSON. Throws for every other error: usually a
 * problem 413 (too large) or 400.
 */
function textOf(error: unknown): string {
  if (error instanceof Problem || error instanceof ClientDisconnected) throw error;
  if (error instanceof SyntaxError && 'body' in error && typeof error.body === 'string') return error.body;
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw bodyTooLarge();
  throw new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause: error });
}
