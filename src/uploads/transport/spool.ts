/**
 * A received file, in memory or on disk, before it is stored. Its bytes can be read any number of times until it is
 * closed.
 */
export interface Spool {
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Returns the bytes from `from` up to, but not including, `to`; fewer when the file ends before `to`. */
  read(from: number, to: number): Promise<Uint8Array>;
  /** Yields the bytes in chunks. A chunk is valid until the next is requested: its memory is used again. */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Thrown while a file is received: it is larger than the limit. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Bytes in a chunk. A multiple of three, so that the base64 of chunks can be concatenated. */
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
