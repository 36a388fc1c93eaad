import type { DocumentBytes } from '../src/ports/documents.ts';

const CHUNK_SIZE = 64 * 1024;

/** What goes wrong while a document is read. */
interface ReadFault {
  /** The number of bytes after which the stream fails, like a download that breaks off. */
  readonly end?: number | undefined;
  /** Milliseconds before each byte; when absent, the bytes come at once. */
  readonly every?: number | undefined;
}

/** Returns `content` as a stream that can be read once. */
export function bytesOf(content: Uint8Array, { end, every }: ReadFault = {}): DocumentBytes {
  const pieceSize = every === undefined ? CHUNK_SIZE : 1;
  const last = end ?? content.length;
  const listeners: (() => void)[] = [];
  let isClosed = false;
  let at = 0;
  let failure: Error | undefined;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    for (const listener of listeners.splice(0)) listener();
  };
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      while (at < last && !isClosed) {
        if (every !== undefined) await new Promise((resolve) => setTimeout(resolve, every));
        const from = at;
        at = Math.min(at + pieceSize, last);
        yield content.subarray(from, at);
      }
      if (failure !== undefined) throw failure;
      if (end !== undefined) throw new Error('download broke off');
    } finally {
      close();
    }
  }
  return {
    get readableLength() {
      return Math.min(pieceSize, last - at);
    },
    destroy(error) {
      failure = error;
      close();
    },
    once(_, listener) {
      if (isClosed) listener();
      else listeners.push(listener);
    },
    [Symbol.asyncIterator]: pieces,
  };
}
