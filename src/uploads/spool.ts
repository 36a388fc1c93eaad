/** A received file, in memory or in a temporary file. Its bytes can be read more than once, until `close`. */
export interface Spool {
  /** In bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Returns the bytes from `from` up to, not including, `to`; fewer when the file ends before. */
  read(from: number, to: number): Promise<Uint8Array>;
  /** Use each chunk before the next one is requested: its memory may be reused. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The file is larger than the limit; thrown while it is being received. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The size of a chunk in bytes: a multiple of three, so that the base64 of chunks can be concatenated. */
export const CHUNK_SIZE = 48 * 1024;

export function inMemory(content: Uint8Array, sha256: string): Spool {
  return {
    size: content.length,
    sha256,
    read: async (from, to) => content.subarray(from, to),
    async *bytes() {
      for (let at = 0; at < content.length; at += CHUNK_SIZE) yield content.subarray(at, at + CHUNK_SIZE);
    },
    close: async () => undefined,
  };
}

// Bytes that become characters in one call.
const PART = 8_192;

/**
 * One character per byte, so that an offset in the text is that in the bytes. A `TextDecoder` cannot do this: its
 * `latin1` is windows-1252.
 */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PART)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + PART) as unknown as number[]);
  return text;
}
