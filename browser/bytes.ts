import type { DocumentBytes } from '../src/ports/documents.ts';

const CHUNK_SIZE = 64 * 1024;

/**
 * Returns `content` as a stream that can be read once. With `end`, the stream fails after that many bytes, like a
 * download that breaks off.
 */
export function bytesOf(content: Uint8Array, end?: number): DocumentBytes {
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
        const from = at;
        at = Math.min(at + CHUNK_SIZE, last);
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
      return Math.min(CHUNK_SIZE, last - at);
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
