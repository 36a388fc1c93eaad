import type { Scanner } from '../../src/ports/scanner.ts';

/**
 * A scanner that calls every file clean without reading it. For development, or with `SCANNER=none`.
 */
export const noScanner: Scanner = { scan: async () => 'clean' };
