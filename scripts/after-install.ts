/** npm runs this after it has changed node_modules: removes what nothing uses, and makes the bundle of `npm start`. */
import { globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// The C++ headers of Node, for add-ons, which are a third of its package. There are no add-ons here.
for (const headers of globSync('node_modules/node/node_modules/node-*/include', { cwd: root }))
  rmSync(`${root}${headers}`, { recursive: true });

await import('./start-bundle.ts');
