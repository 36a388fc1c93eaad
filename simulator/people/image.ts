import { readFileSync } from 'node:fs';

/**
 * Returns the bytes of the image with this file name in `fixtures/documents/`. In the browser build, which cannot read
 * files, `scripts/handlers.ts` replaces this module with one that contains the images.
 */
export const fixtureImage = (file: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/documents/${file}`, import.meta.url));
