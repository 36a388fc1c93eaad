/** Replaces `node:buffer` in a browser, with the searches that the service needs (see `scripts/handlers.ts`). */
import { latin1 } from '../../src/uploads/spool.ts';

const searchable = {
  /** Returns the searches of a Buffer on these bytes, for words of ASCII characters. */
  from(memory: ArrayBufferLike, offset: number, length: number) {
    const text = latin1(new Uint8Array(memory, offset, length));
    return {
      indexOf: (word: string, from?: number): number => text.indexOf(word, from),
      lastIndexOf: (word: string, from?: number): number => text.lastIndexOf(word, from),
    };
  },
};

export { searchable as Buffer };
