import { readFileSync } from 'node:fs';

/**
 * Returns the bytes of an image of the fixtures. For the browser, which has no files, `scripts/handlers.ts` replaces
 * this module by one that holds the images.
 */
export const fixtureImage = (file: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/documents/${file}`, import.meta.url));
