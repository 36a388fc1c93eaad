/**
 * Returns an animated WebP that shows still WebP images one after another, for ever (RFC 9649, 2.7). Throws when an
 * image has no chunk with pixels.
 *
 * @param images - complete WebP files of the same size
 * @param size - width and height in pixels
 * @param ms - milliseconds that each image is shown
 */
export function animatedWebp(
  images: readonly Buffer[],
  { width, height }: { readonly width: number; readonly height: number },
  ms: number,
): Buffer {
  const canvas = [...uint24(width - 1), ...uint24(height - 1)];
  const frames = images.map((image) =>
    chunk('ANMF', Buffer.from([...uint24(0), ...uint24(0), ...canvas, ...uint24(ms), NO_BLENDING]), bitstreamOf(image)),
  );
  const extended = chunk('VP8X', Buffer.from([HAS_ANIMATION, 0, 0, 0, ...canvas]));
  const animation = chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0]));
  return chunk('RIFF', Buffer.from('WEBP'), extended, animation, ...frames);
}

/** The flag of a `VP8X` chunk that says that the file is animated. */
const HAS_ANIMATION = 0x02;
/** The flag of an `ANMF` chunk for a frame that replaces the earlier ones. */
const NO_BLENDING = 0x02;

function chunk(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(name), length, body, Buffer.alloc(body.length % 2)]);
}

function bitstreamOf(image: Buffer): Buffer {
  for (let at = 12; at < image.length; ) {
    const name = image.toString('latin1', at, at + 4);
    const length = image.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (name === 'VP8 ' || name === 'VP8L') return image.subarray(at, end);
    at = end;
  }
  throw new Error('no pixels in this WebP');
}

const uint24 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
