import { readFileSync } from 'node:fs';

/**
 * Returns the bytes of the image with this file name in `fixtures/documents/`. In the browser build,
 * `scripts/handlers.ts` replaces this module, because a browser cannot read files.
 */
export const fixtureImage = (file: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/documents/${file}`, import.meta.url));
