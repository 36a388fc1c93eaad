import { readFileSync } from 'node:fs';

/** An image among the fixtures, as it lies there. Where there are no files `scripts/handlers.ts` puts them in this place. */
export const imageOf = (file: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/documents/${file}`, import.meta.url));
