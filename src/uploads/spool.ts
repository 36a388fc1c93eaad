/**
 * A received file, in memory or in a temporary file, before it is sent to the document store. Its bytes can be read
 * more than once, until `close` is called.
 */
export interface Spool {
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
  /**
   * Returns the bytes from byte `from` of the file up to, not including, byte `to`; fewer when the file ends before
   * `to`.
   */
  read(from: number, to: number): Promise<Uint8Array>;
  /** Yields the bytes in chunks. Use each chunk before the next one is requested: its memory may be reused. */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The error for a file that is larger than the limit, thrown while it is being received. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Size of a chunk in bytes: a multiple of three, so that the base64 of chunks can be concatenated. */
export const CHUNK_SIZE = 48 * 1024;

/** Returns a spool for content that is in memory. */
export function inMemory(content: Uint8Array, sha256: string): Spool {
  return {
    size: content.length,
    sha256,
    read: async (from, to) => content.subarray(from, to),
    async *bytes(from = 0, to = content.length) {
      for (let at = from; at < to; at += CHUNK_SIZE) yield content.subarray(at, Math.min(at + CHUNK_SIZE, to));
    },
    close: async () => undefined,
  };
}
