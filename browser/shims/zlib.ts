/** Replaces `node:zlib` in a browser, with the functions that sample files need (see `scripts/handlers.ts`). */
export { zlibSync as deflateSync } from 'fflate';

/** The CRC of each byte (PNG, annex D). */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export const crc32 = (bytes: Uint8Array): number =>
  ~bytes.reduce((crc, byte) => (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0), 0xffffffff) >>> 0;
