/**
 * `npm run generate`: generates the list of personas, the index of generated citizens, the client, and the tables in
 * the documentation.
 */
import { writeFileSync } from 'node:fs';
import { burgerIndex } from './burger-index.ts';
import { personasIndex } from './personas-index.ts';

writeFileSync(new URL('../fixtures/personas/index.ts', import.meta.url), personasIndex());
writeFileSync(new URL('../simulator/search/burger-index.ts', import.meta.url), burgerIndex());
// These modules are imported after the list is written, because both read it.
await import('./client.ts');
await import('./docs.ts');
