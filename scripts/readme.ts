/** `npm run docs`: makes the tables of the README and of DEPLOYMENT.md anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PAGES, withTables } from './tables.ts';

for (const page of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
  const file = new URL(`../${page}`, import.meta.url);
  writeFileSync(file, withTables(page, readFileSync(file, 'utf8')));
}
