import { crc32, deflateSync } from 'node:zlib';
import { toFile } from '../people/document-content.ts';

/** Returns a PDF file with one page: a title and lines of text. */
export const pdf = (titel: string, ...regels: string[]): Buffer =>
  Buffer.from(toFile({ soort: 'pdf', titel, regels }).bytes);

/**
 * Returns the PDF `first` with an update at its end (ISO 32000-1, 7.5.6), which contains a comment, or extra entries
 * for the trailer. `first` must be made by `pdf`. A PDF reader shows the same page.
 */
export function pdfWith(first: Buffer, { comment = '', trailer = '' }: { comment?: string; trailer?: string }): Buffer {
  const [, previous = ''] = /startxref\n(\d+)\n%%EOF\n$/.exec(first.subarray(-64).toString('latin1')) ?? [];
  const remark = comment === '' ? '' : `%${comment}\n`;
  const table = 'xref\n0 1\n0000000000 65535 f \n';
  const rest = `${remark}${table}trailer\n<< /Size 6 /Root 1 0 R /Prev ${previous} ${trailer}>>\nstartxref\n${first.length + remark.length}\n%%EOF\n`;
  return Buffer.concat([first, Buffer.from(rest, 'latin1')]);
}

/** Returns a PDF of exactly `size` bytes. Throws a `RangeError` when that is too small for a PDF of one page. */
export function pdfOf(size: number): Buffer {
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
export const heic = (): Buffer => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');

/** Returns a chunk of a PNG file: the length of the data, the type, the data and a checksum (PNG, 5.3). */
export function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}

/** Returns a white PNG of this size in pixels, with one bit for each pixel, so that a large image is a small file. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const row = 1 + Math.ceil(width / 8);
  const pixels = Buffer.alloc(row * height, 0xff);
  // Each row begins with the number of its filter: 0, which is none.
  for (let at = 0; at < pixels.length; at += row) pixels[at] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Returns a grey JPEG of this size in pixels (baseline, ITU-T T.81). Each block of eight by eight pixels takes two
 * bits, so that a large image is a small file.
 */
export function jpeg(width: number, height: number): Buffer {
  const segment = (marker: number, ...data: number[]): Buffer =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);
  const two = (value: number): number[] => [value >> 8, value & 0xff];
  const oneCode = [1, ...Array<number>(15).fill(0), 0];
  const bits = Math.ceil(width / 8) * Math.ceil(height / 8) * 2;
  const data = Buffer.alloc(Math.ceil(bits / 8));
  // The unused bits of the last byte are ones (F.1.2.3).
  if (bits % 8 !== 0) data[data.length - 1] = 0xff >> (bits % 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc0, 8, ...two(height), ...two(width), 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode),
    segment(0xc4, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0x00, 0, 63, 0),
    data,
    Buffer.from([0xff, 0xd9]),
  ]);
}
