/** `npm run docs`: makes the tables of the README anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './tables.ts';

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withTables(readFileSync(readme, 'utf8')));
