/**
 * Builds `lib/`, the content of the published package: the code compiled to JavaScript, because Node does not strip
 * types in node_modules, and the files that it reads. An argument replaces the path of `lib/`. `npm pack` runs this
 * script.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePageBundle } from '../simulator/ui/page-bundle.ts';
import { bundleHandlers } from './handlers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = resolve(process.argv[2] ?? join(root, 'lib'));

rmSync(lib, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.lib.json'), '--outDir', lib, '--noCheck'], {
  stdio: 'inherit',
});

// The bundle for browsers is one file that uses nothing of Node.
await bundleHandlers(join(lib, 'browser/index.js'));

// Files that are read at run time and are not code: documents, pages, demonstrations.
for (const folder of ['fixtures', 'simulator'])
  cpSync(join(root, folder), join(lib, folder), { recursive: true, filter: (file) => !/\.tsx?$/.test(file) });

for (const page of ['console', 'mijn'] as const) await writePageBundle(page, join(lib, `simulator/ui/${page}`));
