/**
 * `npm run generate`: writes the list of personas, the client, and the tables of the documentation again, in that
 * order.
 */
import { writeFileSync } from 'node:fs';
import { personasIndex } from './personas-index.ts';

writeFileSync(new URL('../fixtures/personas/index.ts', import.meta.url), personasIndex());
// Imported after the list is written, because both modules read it.
await import('./client.ts');
await import('./readme.ts');
