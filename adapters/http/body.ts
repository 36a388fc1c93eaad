import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  inflateRaw,
} from 'node:zlib';
import type { Dispatcher } from 'undici';
import { Deadline } from '../../src/ports/deadline.ts';
import type { OpenDocument } from '../../src/ports/documents.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { parseJsonOrUndefined, type ResponseHeaders, type UpstreamRequest } from './request.ts';
import { bodyFailure, codeOf, UpstreamFailure } from './upstream-failure.ts';

// RFC 9110, 8.4.1: a request without `Accept-Encoding` allows every coding, and some gateways compress even when it
// asks for `identity`.
const [unbrotli, ungzip, unzlib, undeflate] = [
  promisify(brotliDecompress),
  promisify(gunzip),
  promisify(inflate),
  promisify(inflateRaw),
];

interface Coding {
  decode(bytes: Buffer, options: { maxOutputLength: number }): Promise<Buffer>;
  createStream(): Transform;
}

const GZIP: Coding = { decode: ungzip, createStream: createGunzip };
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['br', { decode: unbrotli, createStream: createBrotliDecompress }],
  // Some servers send deflate without the header of zlib.
  [
    'deflate',
    {
      decode: (bytes, options) => (hasZlibHeader(bytes) ? unzlib(bytes, options) : undeflate(bytes, options)),
      createStream: createInflate,
    },
  ],
]);

const hasZlibHeader = (bytes: Buffer): boolean =>
  bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

// The message of this error contains nothing of the body or its headers.
class UnreadableCoding extends Error {}

// Returns the codings in the order in which to undo them.
function codingsIn(header: string | string[] | undefined): Coding[] {
  if (header === undefined) return [];
  const names = String(header)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const codings = names.map((name) => CODINGS.get(name)).filter((coding) => coding !== undefined);
  if (codings.length < names.length || names.length > 2)
    throw new UnreadableCoding('a content coding other than gzip, deflate and br');
  return codings.reverse();
}

export const isPlain = (header: string | string[] | undefined): boolean =>
  header === undefined || /^(\s|,|identity)*$/i.test(String(header));

/**
 * Returns a body without its content codings. Rejects, with a message that may be logged, when they cannot be undone or
 * when more than `max` bytes come out of one.
 */
export async function decode(bytes: Buffer, header: string | string[] | undefined, max: number): Promise<Buffer> {
  let decoded = bytes;
  for (const coding of codingsIn(header))
    decoded = await coding.decode(decoded, { maxOutputLength: max }).catch((error) => {
      throw new UnreadableCoding(`a content coding that cannot be undone: ${codeOf(error)}`);
    });
  return decoded;
}

/** Maximum size of the body of a refusal that is read, in bytes. */
export const MAX_REFUSAL = 64 * 1024;

/** Resolves when the first byte has arrived, or the body ends empty. Rejects with the error of `bodyFailure`. */
async function waitForFirstByte(upstream: UpstreamName, body: Readable): Promise<void> {
  await new Promise((resolve, reject) => {
    body.once('readable', resolve).once('end', resolve).once('error', reject);
  }).catch((error) => {
    throw bodyFailure(upstream, error);
  });
}

const S3_CODE = /<Code>([A-Za-z]{1,64})<\/Code>/;
// Characters before the root element.
const MAX_PROLOGUE = 200;

/**
 * Returns the JSON of an error answer, or an object with `code` for an S3 error (XML). Undefined when it is longer than
 * `MAX_REFUSAL`, takes longer than `timeout` milliseconds, or is neither, such as a web page of a proxy.
 */
export async function readRefusal(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  timeout: number,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const deadline = new Deadline(timeout, () => body.destroy());
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_REFUSAL) return undefined;
    }
    const bytes = await decode(Buffer.concat(chunks), headers['content-encoding'], MAX_REFUSAL);
    const text = new TextDecoder().decode(bytes);
    const isS3 = /<Error[\s>]/.test(text.slice(0, MAX_PROLOGUE));
    const [, code] = (isS3 && S3_CODE.exec(text)) || [];
    return code === undefined ? parseJsonOrUndefined(text) : { code };
  } catch {
    return undefined;
  } finally {
    deadline.cancel();
  }
}

/** A class, so that `instanceof` distinguishes it from a result of `UpstreamRequest.otherwise`. */
export class StreamedAnswer {
  readonly headers: ResponseHeaders;
  /** Ends with an error when the upstream closes the connection early, or sends nothing for 10 seconds. */
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
): Promise<StreamedAnswer> {
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
  return new StreamedAnswer(headers, body);
}

async function decompressed(
  upstream: UpstreamName,
  method: UpstreamRequest<unknown>['method'],
  { headers, body }: Received,
): Promise<StreamedAnswer> {
  const { 'content-encoding': coding, 'content-length': _, ...others } = headers;
  try {
    // The length in an answer to HEAD would be that of the compressed bytes.
    if (method === 'HEAD') throw new Error('a document with a content coding');
    const bytes = codingsIn(coding).reduce<Readable>(
      (from, into) => pipeline(from, into.createStream(), () => undefined).on('error', () => undefined),
      body,
    );
    return await toStreamedAnswer(upstream, method, { headers: others, body: bytes });
  } catch (error) {
    body.destroy();
    if (error instanceof UpstreamFailure) throw error;
    throw new UpstreamFailure(upstream, 'unreadable', (error as Error).message);
  }
}
