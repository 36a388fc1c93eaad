import { Failed } from '../adapters/failed.ts';
import { createFinder } from '../simulator/eicar.ts';
import type { Scanner } from '../src/ports/scanner.ts';
import { latin1 } from '../src/uploads/latin1.ts';
import type { Line } from './line.ts';

/** Milliseconds between two letters of an answer that drips, and the letters (simulator/scanner.ts). */
const DROP = 400;
const VERDICT = 'stream: OK'.length;

/** A scanner that knows one virus. */
export const createScanner = (line: Line): Scanner => ({
  scan: (bytes, call) =>
    line.pass({ operation: 'scannen' }, call, async (fault) => {
      const finder = createFinder();
      for await (const piece of bytes) finder.see(latin1(piece));
      if (fault?.kind === 'drip') await new Promise((resolve) => setTimeout(resolve, DROP * VERDICT));
      else if (fault !== null) throw new Failed('scanner', 'unavailable', 'no verdict', { onlyThis: true });
      return finder.isFound() ? 'infected' : 'clean';
    }),
});
