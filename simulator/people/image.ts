import { readFileSync } from 'node:fs';

/** Returns an image from `fixtures/documents/`. `scripts/handlers.ts` replaces this module in the browser build. */
export const fixtureImage = (file: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/documents/${file}`, import.meta.url));
