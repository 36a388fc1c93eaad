import type { Spool } from '../transport/spool.ts';
import { latin1 } from './latin1.ts';

/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The maximum number of JPEG segments that are read to find the frame header, which has the size of the image. */
const MAX_SEGMENTS = 1_000;

/**
 * Returns the size of a PNG from its first chunk (IHDR), without decompressing anything; null when that chunk is
 * invalid.
 */
export async function pngSize(file: Spool): Promise<ImageSize | null> {
  const head = await file.read(8, 24);
  const numbers = viewOf(head);
  if (head.length < 16 || numbers.getUint32(0) !== 13 || latin1(head.subarray(4, 8)) !== 'IHDR') return null;
  return sizeOf(numbers.getUint32(8), numbers.getUint32(12));
}

/**
 * Returns the size of a JPEG from its frame header; null when there is no valid frame header before the image data, or
 * not within `MAX_SEGMENTS` segments.
 */
export async function jpegSize(file: Spool): Promise<ImageSize | null> {
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment += 1) {
    const head = await file.read(at, at + 9);
    if (head.length < 4 || head[0] !== 0xff) return null;
    const marker = head[1] ?? 0;
    if (marker === 0xff) {
      // Any number of fill bytes (0xff) may come before a marker.
      at += 1;
      continue;
    }
    const numbers = viewOf(head);
    if (isFrame(marker)) return head.length < 9 ? null : sizeOf(numbers.getUint16(7), numbers.getUint16(5));
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    const length = numbers.getUint16(2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * Returns true for the marker of a JPEG frame header (SOF0 to SOF15). The markers DHT, JPG and DAC in that range have
 * another meaning.
 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const sizeOf = (width: number, height: number): ImageSize | null =>
  width > 0 && height > 0 ? { width, height } : null;
