import { crc32, deflateSync } from 'node:zlib';
import { latin1 } from '../../src/uploads/spool.ts';
import { toFile } from '../people/document-content.ts';

/** The bytes of a file. Not a Buffer, because a page makes these files too. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Returns these parts as one. A text is Latin-1: one byte for each character. */
export function bytesOf(...parts: readonly (string | Uint8Array | readonly number[])[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    // A loop: a PDF of 10 MB has a comment of as many characters.
    if (typeof part === 'string') for (let n = 0; n < part.length; n += 1) joined[at + n] = part.charCodeAt(n);
    else joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Returns a number as four bytes, the highest first. */
const uint32 = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

export const pdf = (titel: string, ...regels: string[]): Bytes =>
  bytesOf(toFile({ soort: 'pdf', titel, regels }).bytes);

/** An update at the end of `first`, a file of `pdf` (ISO 32000-1, 7.5.6). A reader shows the same page. */
export function pdfWith(first: Bytes, { comment = '', trailer = '' }: { comment?: string; trailer?: string }): Bytes {
  const [, previous = ''] = /startxref\n(\d+)\n%%EOF\n$/.exec(latin1(first.subarray(-64))) ?? [];
  const remark = comment === '' ? '' : `%${comment}\n`;
  const table = 'xref\n0 1\n0000000000 65535 f \n';
  const rest = `${remark}${table}trailer\n<< /Size 6 /Root 1 0 R /Prev ${previous} ${trailer}>>\nstartxref\n${first.length + remark.length}\n%%EOF\n`;
  return bytesOf(first, rest);
}

/** Returns a PDF of exactly `size` bytes. Throws a `RangeError` when that is too small for a PDF of one page. */
export function pdfOf(size: number): Bytes {
  const first = pdf('Voorbeeld', `Dit bestand is ${size} bytes groot.`);
  let comment = ' '.repeat(size - first.length);
  let made = pdfWith(first, { comment });
  // What comes around the comment depends on the number of digits of a file position, so the comment is corrected.
  while (made.length > size) {
    comment = ' '.repeat(comment.length - (made.length - size));
    made = pdfWith(first, { comment });
  }
  // One byte more of comment can make the file two bytes larger, because the position after it gets a digit.
  return made.length === size ? made : pdfWith(first, { comment, trailer: ' '.repeat(size - made.length) });
}

/** Trailer entry of a PDF that asks for a password (ISO 32000-1, 7.6.3). */
export const ENCRYPTED = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> `;

/** Returns the start of a photo in HEIC, as an iPhone makes it: a box with the type of the file (ISO/IEC 14496-12, 4.3). */
export const heic = (): Bytes => bytesOf('\0\0\0\x18ftypheic\0\0\0\0mif1heic');

/** Returns a chunk of a PNG file: the length of the data, the type, the data and a checksum (PNG, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Bytes {
  const content = bytesOf(type, data);
  return bytesOf(uint32(data.length), content, uint32(crc32(content)));
}

/** Returns a white PNG of this size in pixels, with one bit for each pixel, so that a large image is a small file. */
export function png(width: number, height: number): Bytes {
  // One bit for each pixel, grey, and no interlacing.
  const header = bytesOf(uint32(width), uint32(height), [1, 0, 0, 0, 0]);
  const row = 1 + Math.ceil(width / 8);
  const pixels = new Uint8Array(row * height).fill(0xff);
  // Each row begins with the number of its filter: 0, which is none.
  for (let at = 0; at < pixels.length; at += row) pixels[at] = 0;
  return bytesOf(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', new Uint8Array()),
  );
}

/** Baseline (ITU-T T.81), with two bits for a block of eight by eight pixels: a large image in a small file. */
export function jpeg(width: number, height: number): Bytes {
  const two = (value: number): number[] => [value >> 8, value & 0xff];
  const segment = (marker: number, ...data: number[]): readonly number[] => [
    ...[0xff, marker],
    ...two(data.length + 2),
    ...data,
  ];
  const oneCode = [1, ...Array<number>(15).fill(0), 0];
  const bits = Math.ceil(width / 8) * Math.ceil(height / 8) * 2;
  const data = new Uint8Array(Math.ceil(bits / 8));
  // The unused bits of the last byte are ones (F.1.2.3).
  if (bits % 8 !== 0) data[data.length - 1] = 0xff >> (bits % 8);
  return bytesOf(
    [0xff, 0xd8],
    segment(0xe0, ...bytesOf('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc0, 8, ...two(height), ...two(width), 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode),
    segment(0xc4, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0x00, 0, 63, 0),
    data,
    [0xff, 0xd9],
  );
}
