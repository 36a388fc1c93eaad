/** `npm pack`: makes `lib/`, the package as it is used from elsewhere. Node strips no types below node_modules, so it is JavaScript. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleHandlers } from './handlers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = resolve(process.argv[2] ?? join(root, 'lib'));

rmSync(lib, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.lib.json'), '--outDir', lib], { stdio: 'inherit' });

// For a page it is one file in which nothing of Node is left.
await bundleHandlers(join(lib, 'browser/index.js'));

// What is read at run time and is no code: documents, pages, demos.
for (const folder of ['fixtures', 'simulator'])
  cpSync(join(root, folder), join(lib, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });

/**
 * What pages show comes along as files (`packageFile` finds them): the packages themselves bring a script that calls home from
 * the machine of whoever installs ours (Swagger UI), or a hundred others (the styles).
 */
const SHOWN = [
  'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-dist/LICENSE',
  'swagger-ui-dist/NOTICE',
  '@utrecht/component-library-css/dist/index.css',
  '@utrecht/component-library-css/LICENSE.md',
  '@nl-design-system-unstable/voorbeeld-design-tokens/dist/theme.css',
  '@nl-design-system-unstable/voorbeeld-design-tokens/LICENSE.md',
];
for (const file of SHOWN) cpSync(join(root, 'node_modules', file), join(lib, 'simulator/console/packages', file));
