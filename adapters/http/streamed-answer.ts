import { pipeline, type Readable } from 'node:stream';
import type { OpenDocument } from '../../src/ports/documents.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { decoders, isPlain } from './content-coding.ts';
import { waitForFirstByte } from './read-body.ts';
import type { ResponseHeaders, UpstreamRequest } from './request.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface StreamedAnswer {
  readonly headers: ResponseHeaders;
  /** Ends with an error when the upstream closes the connection early, or sends nothing for 10 seconds. */
  readonly bytes: Readable;
}

/** A class, so that `instanceof` distinguishes it from a result of `UpstreamRequest.otherwise`. */
export class StreamedAnswerBody implements StreamedAnswer {
  readonly headers: ResponseHeaders;
  readonly bytes: Readable;

  constructor(headers: ResponseHeaders, bytes: Readable) {
    this.headers = headers;
    this.bytes = bytes;
  }
}

/** `omvang` is in bytes; null when the answer has no valid `Content-Length`. */
export function toOpenDocument({ headers, bytes }: StreamedAnswer): OpenDocument {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { omvang: Number.isSafeInteger(length) ? length : null, bytes };
}

interface Received {
  readonly headers: ResponseHeaders;
  readonly body: Readable;
}

// Proxies and error handlers send these with a 200, and no stored document has them.
const NOT_A_DOCUMENT = /^(text\/html|application\/([\w.-]+\+)?json)\b/i;

/**
 * Resolves when the body starts to arrive. Throws `UpstreamFailure` when it does not, has a content coding that cannot
 * be undone, or is a web page or JSON. A body that is decompressed has no known length. Of an answer to HEAD only the
 * headers are checked.
 */
export async function toStreamedAnswer(
  upstream: UpstreamName,
  method: UpstreamRequest<unknown>['method'],
  { headers, body }: Received,
): Promise<StreamedAnswerBody> {
  // The reader receives this error too. Without a listener, an error before there is a reader would end the process.
  body.on('error', () => undefined);
  if (!isPlain(headers['content-encoding'])) return decompressed(upstream, method, { headers, body });
  const length = Number(headers['content-length'] ?? Number.NaN);
  const mayBePage = length !== 0 && NOT_A_DOCUMENT.test(String(headers['content-type']));
  // A length says at once that it is a page; without one, the first byte does.
  if (!(mayBePage && length > 0)) await waitForFirstByte(upstream, body);
  if (mayBePage && (method === 'HEAD' || length > 0 || body.readableLength > 0)) {
    body.destroy();
    throw new UpstreamFailure(upstream, 'unreadable', 'a page instead of a document');
  }
  return new StreamedAnswerBody(headers, body);
}

async function decompressed(
  upstream: UpstreamName,
  method: UpstreamRequest<unknown>['method'],
  { headers, body }: Received,
): Promise<StreamedAnswerBody> {
  const { 'content-encoding': coding, 'content-length': _, ...others } = headers;
  try {
    // The length in an answer to HEAD would be that of the compressed bytes.
    if (method === 'HEAD') throw new Error('a document with a content coding');
    const bytes = decoders(coding).reduce<Readable>(
      (from, into) => pipeline(from, into, () => undefined).on('error', () => undefined),
      body,
    );
    return await toStreamedAnswer(upstream, method, { headers: others, body: bytes });
  } catch (error) {
    body.destroy();
    if (error instanceof UpstreamFailure) throw error;
    throw new UpstreamFailure(upstream, 'unreadable', (error as Error).message);
  }
}
