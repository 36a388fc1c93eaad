import { type Bytes, bytesOf, jpeg, pdfOf, png, pngChunk } from './formats.ts';

export const SIZED_TYPES = ['pdf', 'png', 'jpg'] as const;
type SizedType = (typeof SIZED_TYPES)[number];

const MIN_PDF = 1_024;

/** Exactly `size` bytes, except below 1,400. */
export function sampleOfSize(type: SizedType, size: number): Bytes {
  if (type === 'pdf') return pdfOf(Math.max(size, MIN_PDF));
  return type === 'png' ? pngOfSize(size) : jpegOfSize(size);
}

/** Bytes around the data of a PNG chunk: its length, its type and its checksum. */
const CHUNK_FRAME = 12;

/** Returns a PNG of 64 by 64 pixels, with a text chunk that makes the file `size` bytes large (PNG, 11.3.4.3). */
function pngOfSize(size: number): Bytes {
  const image = png(64, 64);
  const pad = size - image.length - CHUNK_FRAME - KEYWORD.length;
  if (pad < 0) return image;
  const end = image.length - CHUNK_FRAME;
  const text = pngChunk('tEXt', bytesOf(KEYWORD, ' '.repeat(pad)));
  return bytesOf(image.subarray(0, end), text, image.subarray(end));
}

const KEYWORD = 'Comment\0';

/** Maximum size in bytes of a JPEG comment, with its marker and its length (ITU-T T.81, B.2.4.5). */
const MAX_COMMENT = 65_537;
/** Size in bytes of an empty JPEG comment: a marker and a length. */
const COMMENT_FRAME = 4;

/** Returns a JPEG of 640 by 480 pixels, with comments that make the file `size` bytes large. */
function jpegOfSize(size: number): Bytes {
  const image = jpeg(640, 480);
  const comments: Bytes[] = [];
  for (let left = size - image.length; left >= COMMENT_FRAME; ) {
    // What remains must be large enough for a comment, or nothing.
    const more = left - MAX_COMMENT;
    const length = more > 0 && more < COMMENT_FRAME ? MAX_COMMENT - COMMENT_FRAME : Math.min(left, MAX_COMMENT);
    const rest = length - 2;
    comments.push(bytesOf([0xff, 0xfe, rest >> 8, rest & 0xff], ' '.repeat(length - COMMENT_FRAME)));
    left -= length;
  }
  return bytesOf(image.subarray(0, 2), ...comments, image.subarray(2));
}
