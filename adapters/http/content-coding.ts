// RFC 9110, 8.4.1: a request without `Accept-Encoding` allows every coding, and some gateways compress even when it
// asks for `identity`.
import type { Transform } from 'node:stream';
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
import { codeOf } from './upstream-failure.ts';

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

// Its message has nothing of the body or its headers.
class UnreadableCoding extends Error {}

// In the order in which to undo them.
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

/** The streams that undo the codings, in order. Throws for an unknown one. */
export const decoders = (header: string | string[] | undefined): Transform[] =>
  codingsIn(header).map((coding) => coding.createStream());
