import type { Scanner } from '../../src/ports/scanner.ts';

/** A scanner that returns `clean` for every file without reading it, for `SCANNER=none`. */
export const noScanner: Scanner = { scan: async () => 'clean' };
