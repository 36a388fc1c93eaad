/** `npm run docs`: writes the generated parts of the documentation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PAGES, withTables } from './tables/pages.ts';

for (const page of Object.keys(PAGES)) {
  const file = new URL(`../${page}`, import.meta.url);
  writeFileSync(file, withTables(page, readFileSync(file, 'utf8')));
}
