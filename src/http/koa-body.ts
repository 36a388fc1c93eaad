import { isUtf8 } from 'node:buffer';
import type { koaBody } from 'koa-body';
import { Problem } from '../problem.ts';
import { MAX_BODY, notUtf8, tooLarge } from './body.ts';
import type { JsonText } from './exchange.ts';
import type { Context } from './state.ts';

/** Milliseconds in which the whole body must arrive. */
const BODY_TIMEOUT = 15_000;

/** What the decoder puts in the place of bytes that are not UTF-8. A text may also contain it as it is. */
const REPLACEMENT = '\uFFFD';

type Middleware = ReturnType<typeof koaBody>;

/** koa-body for JSON only. Imported with the first body: it loads multipart and form parsers that are never used here. */
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

/** The JSON body of a request: its text, and its value unless the text is no JSON. Throws 400, 408 or 413. */
export async function readJson(ctx: Context): Promise<JsonText> {
  const read = await jsonReader();
  const chunks: Buffer[] = [];
  ctx.req.on('data', (chunk: Buffer) => chunks.push(chunk));
  const parsed = ctx as unknown as Parameters<Middleware>[0];
  const json = await withTimeout(read(parsed, async () => undefined)).then(
    // An empty body has no value, whatever koa-body makes of it.
    () => (parsed.request.rawBody ? { text: parsed.request.rawBody, value: parsed.request.body } : { text: '' }),
    (error) => ({ text: textOf(error) }),
  );
  if (json.text.includes(REPLACEMENT) && !isUtf8(Buffer.concat(chunks))) throw notUtf8();
  return json;
}

/** The text that koa-body could not parse. Throws the problem of any other failure. */
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
