import type { IncomingMessage } from 'node:http';
import type { koaBody } from 'koa-body';
import { hasTooManyChunks } from '../domain/upload-limits.ts';
import { ClientDisconnected } from '../ports/call.ts';
import { Problem } from '../problem.ts';
import { bodyTooLarge, MAX_BODY, notUtf8 } from './body.ts';
import type { JsonText } from './exchange.ts';
import type { Context } from './state.ts';

/** Milliseconds within which the whole body must arrive. */
const BODY_TIMEOUT = 15_000;

type Middleware = ReturnType<typeof koaBody>;

/**
 * koa-body for JSON only. Imported at the first body, to keep the start fast: it also loads multipart and form parsers.
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
 * Reads the JSON body of a request. Returns its text, and its value unless the text is invalid JSON. Throws 400, 408 or
 * 413.
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
 * Watches the pieces of a body as they come. When they are so many and so small that they cost more than a body may, the
 * connection is cut and `tooManyChunks` rejects with `ClientDisconnected`. `isUtf8` says whether all bytes so far are UTF-8: koa-body
 * replaces those that are not.
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

/** Returns the text that koa-body could not parse. Throws a problem for every other failure. */
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
