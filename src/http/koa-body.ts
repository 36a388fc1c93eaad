import type { IncomingMessage } from 'node:http';
import type { koaBody } from 'koa-body';
import { hasTooManyChunks } from '../domain/upload-limits.ts';
import { ClientDisconnected } from '../ports/call.ts';
import { Problem } from '../problem.ts';
import { bodyTooLarge, MAX_BODY, notUtf8 } from './body.ts';
import type { JsonText } from './exchange.ts';
import type { Context } from './state.ts';

/** Milliseconds within which the whole body must arrive; a later body is refused with 408. */
const BODY_TIMEOUT = 15_000;

type Middleware = ReturnType<typeof koaBody>;

/**
 * The koa-body middleware, for JSON only. It is imported at the first request with a body, because its multipart and
 * form parsers would slow down the start of the service.
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
 * Reads the JSON body of a request from Koa. Returns its text, and its parsed value when the text is valid JSON. Throws
 * 408 when the body is late, 413 above `MAX_BODY`, and 400 when it is incomplete or not UTF-8.
 */
export async function readJsonBody(ctx: Context): Promise<JsonText> {
  const read = await jsonReader();
  const { tooManyChunks, isUtf8 } = watchPieces(ctx.req);
  const parsed = ctx as unknown as Parameters<Middleware>[0];
  const reading = read(parsed, async () => undefined);
  const json = await withTimeout(Promise.race([reading, tooManyChunks])).then(
    // An empty body has no value, whatever koa-body makes of it.
    () => (parsed.request.rawBody ? { text: parsed.request.rawBody, value: parsed.request.body } : { text: '' }),
    (error) => ({ text: textOf(error) }),
  );
  reading.catch(() => undefined);
  if (!isUtf8()) throw notUtf8();
  return json;
}

/**
 * Watches the chunks of a request body. When there are too many small chunks, the connection is closed and
 * `tooManyChunks` rejects with `ClientDisconnected`: each chunk costs CPU time. `isUtf8` returns true when all bytes so
 * far are valid UTF-8; koa-body would silently replace the others.
 */
function watchPieces(request: IncomingMessage): { tooManyChunks: Promise<never>; isUtf8: () => boolean } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [pieces, bytes, isText] = [0, 0, true];
  const decode = (chunk?: Buffer): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isText = false;
    }
  };
  const tooManyChunks = new Promise<never>((_, reject) => {
    request.on('data', (chunk: Buffer) => {
      pieces += 1;
      bytes += chunk.length;
      if (isText) decode(chunk);
      if (!hasTooManyChunks(pieces, bytes)) return;
      reject(new ClientDisconnected('the client sent its body a few bytes at a time'));
      // At once: to read on, even to answer, is what costs.
      request.destroy();
    });
  });
  tooManyChunks.catch(() => undefined);
  return {
    tooManyChunks,
    isUtf8() {
      decode();
      return isText;
    },
  };
}

const tooSlow = (): Problem => new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.');

/**
 * Returns the text of the body when koa-body could not parse it as JSON. Throws a problem for every other error: 413
 * for a too large body, else 400.
 */
function textOf(error: unknown): string {
  if (error instanceof Problem || error instanceof ClientDisconnected) throw error;
  if (error instanceof SyntaxError && 'body' in error && typeof error.body === 'string') return error.body;
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw bodyTooLarge();
  throw new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause: error });
}

async function withTimeout(reading: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), BODY_TIMEOUT);
  });
  try {
    await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    reading.catch(() => undefined);
  }
}
