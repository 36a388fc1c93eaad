/** npm runs this after it has changed node_modules: removes what nothing uses, and makes the bundles of `npm start` and of the pages. */
import { globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageBundle } from '../simulator/ui/page-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// The C++ headers of Node, for add-ons, which are a third of its package. There are no add-ons here.
for (const headers of globSync('node_modules/node/node_modules/node-*/include', { cwd: root }))
  rmSync(`${root}${headers}`, { recursive: true });

await import('./start-bundle.ts');
await pageBundle('shared');
