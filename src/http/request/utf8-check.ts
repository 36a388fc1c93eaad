import { isUtf8 } from 'node:buffer';

/** Checks whether chunks of bytes are together valid UTF-8. It does not keep the chunks. */
export interface Utf8Check {
  add(chunk: Buffer): void;
  /** Returns true when all chunks so far are valid UTF-8, and the last character is complete. */
  isValid(): boolean;
}

const NONE = Buffer.alloc(0);

/** Returns a check of no chunks yet, which is valid. */
export function createUtf8Check(): Utf8Check {
  let isValid = true;
  /** First bytes of a character whose other bytes come with the next chunk. */
  let begun = NONE;
  return {
    add(chunk) {
      if (!isValid) return;
      const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
      const end = bytes.length - incompleteBytes(bytes);
      isValid = isUtf8(bytes.subarray(0, end));
      begun = end === bytes.length ? NONE : Buffer.from(bytes.subarray(end));
    },
    isValid: () => isValid && begun.length === 0,
  };
}

/** Returns the number of bytes at the end, 0 to 3, that begin a character without completing it (RFC 3629). */
function incompleteBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < characterLength(byte) ? count : 0;
  }
  return 0;
}

/** Returns the number of bytes of a character that begins with this byte (0xc0 or more). */
const characterLength = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);
