import type { IncomingMessage } from 'node:http';
import type { koaBody } from 'koa-body';
import { hasTooManyChunks } from '../../domain/upload-limits.ts';
import { ClientDisconnected } from '../../ports/call.ts';
import { Deadline } from '../../ports/deadline.ts';
import { Problem } from '../../problem.ts';
import { createCapacity } from '../capacity.ts';
import type { Context } from '../exchange.ts';
import { requestTooSlow } from '../refusals.ts';
import { bodyTooLarge, MAX_BODY } from './body.ts';

type Middleware = ReturnType<typeof koaBody>;

// It only reads the bytes: its parser for JSON would parse a text whose limits are not checked yet, and replace bytes
// that are not UTF-8. Imported at first use, because its import would slow down the start.
let reader: Promise<Middleware> | undefined;
const jsonReader = (): Promise<Middleware> => {
  reader ??= import('koa-body').then(({ koaBody }) =>
    koaBody({
      multipart: false,
      urlencoded: false,
      json: false,
      textTypes: ['application/json'],
      textLimit: MAX_BODY,
      encoding: '',
    }),
  );
  return reader;
};

/**
 * Returns the bytes of a JSON body. Throws 408 for a late body, 413 above `MAX_BODY` bytes, 400 for an incomplete one,
 * 429 or 503 for a limit of `bodies`, and `ClientDisconnected` for too many small chunks.
 *
 * @param timeout - milliseconds within which the whole body must arrive
 */
export async function readJsonBody(ctx: Context, bodies: IncomingBodies, timeout: number): Promise<Uint8Array> {
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

// A body that arrived together with its headers is not counted, because it does not wait for the client.
function countIn({ req, state }: Context, bodies: IncomingBodies): () => void {
  const announced = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (req.complete || req.readableLength >= announced) return () => undefined;
  return bodies.admit(state.caller?.subject ?? '', Math.min(announced, MAX_BODY));
}

// 408 for a late body, and `ClientDisconnected` for too many small chunks, because each chunk costs CPU time.
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

function unreadBody(error: unknown): unknown {
  if (error instanceof Problem || error instanceof ClientDisconnected) return error;
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') return bodyTooLarge();
  return new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause: error });
}

// Of all JSON bodies that this process receives at the same time.
const MAX_BYTES = 32 * 1024 * 1024;
// Sixteen of the largest bodies, or a thousand small ones, as a test that makes load with one person sends them.
const MAX_BYTES_PER_PERSON = 4 * 1024 * 1024;

/** reliability.md, "Timeouts and limits". */
export interface IncomingBodies {
  /**
   * Returns a function to call when the body is no longer in memory. Throws 429 `te-veel-verzoeken` when this person,
   * and 503 `overbelast` when all together, may not send `bytes` more now.
   *
   * @param bytes - maximum size of the body. Not what has arrived, so that a body is refused before it is sent.
   */
  admit(person: string, bytes: number): () => void;
}

export function createIncomingBodies(): IncomingBodies {
  const capacity = createCapacity({ total: MAX_BYTES, perOwner: MAX_BYTES_PER_PERSON, tooMany, full });
  return {
    admit(person, bytes) {
      capacity.take(person, bytes);
      return () => capacity.release(person, bytes);
    },
  };
}

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
