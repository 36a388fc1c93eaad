/** A file that has come in whole and has not been kept yet. Its bytes can be read as often as needed, until it is closed. */
export interface Spool {
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** From `from` up to and without `to`; past the end there is nothing. */
  read(from: number, to: number): Promise<Uint8Array>;
  /** In pieces, each of them good until the next is asked for. */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Thrown while reading: there was one byte too many. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Whole triples, so that base64 needs no joining. */
export const PIECE = 48 * 1024;

/** A file that is at hand. */
export function inMemory(content: Uint8Array, sha256: string): Spool {
  return {
    size: content.length,
    sha256,
    read: async (from, to) => content.subarray(from, to),
    async *bytes(from = 0, to = content.length) {
      for (let at = from; at < to; at += PIECE) yield content.subarray(at, Math.min(at + PIECE, to));
    },
    close: async () => undefined,
  };
}
