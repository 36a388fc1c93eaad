import getRawBody, { type RawBodyError } from 'raw-body';
import { Problem } from '../problem.ts';
import { bodyTooLarge, MAX_BODY } from './body.ts';
import type { Context } from './state.ts';

/** Milliseconds for all of it. */
const PATIENCE = 15_000;

/** Reads the body of a request from its socket, never more than is allowed and never for longer. */
export const readBody = (ctx: Context): Promise<Buffer> =>
  inTime(getRawBody(ctx.req, { limit: MAX_BODY, length: ctx.get('Content-Length') || null })).catch(unread);

/** What comes too slowly holds nothing of ours but its socket. */
async function inTime(reading: Promise<Buffer>): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.')),
      PATIENCE,
    );
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unread(error: RawBodyError | Problem): never {
  if (error instanceof Problem) throw error;
  if (error.type === 'entity.too.large') throw bodyTooLarge();
  throw new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause: error });
}
