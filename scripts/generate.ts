/**
 * `npm run generate`: regenerates, in this order, the list of personas, the client, and the tables of the documents.
 */
import { writeFileSync } from 'node:fs';
import { personasIndex } from './personas-index.ts';

writeFileSync(new URL('../fixtures/personas/index.ts', import.meta.url), personasIndex());
// Imported after the list is written, because both modules read it.
await import('./client.ts');
await import('./readme.ts');
