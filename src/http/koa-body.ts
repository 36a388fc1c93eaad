import { isUtf8 } from 'node:buffer';
import type { koaBody } from 'koa-body';
import { Problem } from '../problem.ts';
import { MAX_BODY, notUtf8, tooLarge } from './body.ts';
import type { JsonText } from './exchange.ts';
import type { Context } from './state.ts';

/** Milliseconds within which the whole body must arrive. */
const BODY_TIMEOUT = 15_000;

/** The character by which the decoder replaces invalid UTF-8. A valid text can contain it too. */
const REPLACEMENT = '\uFFFD';

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
export async function readJson(ctx: Context): Promise<JsonText> {
  const read = await jsonReader();
  const chunks: Buffer[] = [];
  ctx.req.on('data', (chunk: Buffer) => chunks.push(chunk));
  const parsed = ctx as unknown as Parameters<Middleware>[0];
  const json = await withTimeout(read(parsed, async () => undefined)).then(
    () => ({ text: parsed.request.rawBody ?? '', value: parsed.request.body }),
    (error) => ({ text: textOf(error) }),
  );
  if (json.text.includes(REPLACEMENT) && !isUtf8(Buffer.concat(chunks))) throw notUtf8();
  return json;
}

/** Returns the text that koa-body could not parse. Throws a problem for every other failure. */
function textOf(error: unknown): string {
  if (error instanceof Problem) throw error;
  if (error instanceof SyntaxError && 'body' in error && typeof error.body === 'string') return error.body;
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw tooLarge();
  throw new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause: error });
}

async function withTimeout(reading: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.');
    timer = setTimeout(() => reject(problem), BODY_TIMEOUT);
  });
  try {
    await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    reading.catch(() => undefined);
  }
}
