/** `npm run docs`: writes the generated parts of the documentation, and llms.txt. */
import { readFileSync, writeFileSync } from 'node:fs';
import { llmsText } from './tables/llms.ts';
import { PAGES, withTables } from './tables/pages.ts';

for (const page of Object.keys(PAGES)) {
  const file = new URL(`../${page}`, import.meta.url);
  writeFileSync(file, withTables(page, readFileSync(file, 'utf8')));
}
writeFileSync(new URL('../llms.txt', import.meta.url), llmsText());
