import { hasTooManyChunks } from '../domain/upload-limits.ts';
import { ClientDisconnected } from '../ports/call.ts';
import { Problem } from '../problem.ts';
import { bodyTooLarge, MAX_BODY, notUtf8 } from './body.ts';
import type { JsonText } from './exchange.ts';
import type { Context } from './state.ts';

/** Milliseconds within which the whole body must arrive. */
const BODY_TIMEOUT = 15_000;

/** Refuses bytes that are not UTF-8, and leaves a byte order mark out. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the JSON body of a request and returns its text. Throws 400 for a body that breaks off or is not UTF-8, 408 for
 * one that is too slow, 413 for one that is too large. Cuts the connection of a client that sends it in so many small
 * pieces that they cost more than a body may. A reader of our own (decisions/0049-json-bodies-are-read-by-the-service.md).
 */
export function readJsonBody({ req }: Context): Promise<JsonText> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY) stop(bodyTooLarge());
      else if (hasTooManyChunks(chunks.length, size)) {
        stop(new ClientDisconnected('the client sent its body a few bytes at a time'));
        // At once: to read on, even to answer, is what costs.
        req.destroy();
      }
    };
    const end = (): void => {
      try {
        resolve({ text: decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)) });
        stop();
      } catch {
        stop(notUtf8());
      }
    };
    const broken = (cause?: Error): void =>
      stop(new Problem('ongeldig-verzoek', 'De inhoud kwam niet volledig aan.', { cause }));
    const timer = setTimeout(
      () => stop(new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.')),
      BODY_TIMEOUT,
    );
    function stop(error?: Error): void {
      clearTimeout(timer);
      req.off('data', take).off('end', end).off('error', broken).off('close', broken);
      if (error === undefined) return;
      req.pause();
      reject(error);
    }

    req.on('data', take).on('end', end).on('error', broken).on('close', broken);
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY) stop(bodyTooLarge());
  });
}
