/** `npm run generate`: makes everything that is generated, in order: the list of personas, the client, the tables of the documents. */
import { writeFileSync } from 'node:fs';
import { personasIndex } from './personas-index.ts';

writeFileSync(new URL('../fixtures/personas/index.ts', import.meta.url), personasIndex());
// Imported only now, because both read that list.
await import('./client.ts');
await import('./readme.ts');
