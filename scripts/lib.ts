/** `npm pack`: makes `lib/`, the package as it is used from elsewhere. Node strips no types below node_modules, so it is JavaScript. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = process.argv[2] ?? join(root, 'lib');

rmSync(lib, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.lib.json'), '--outDir', lib], { stdio: 'inherit' });

// What is read at run time and is no code: documents, pages, demos.
for (const folder of ['fixtures', 'simulator', 'src/development'])
  cpSync(join(root, folder), join(lib, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });

/** What can be imported; nobody needs the types of the rest. */
const PUBLIC = /^(index|client\/[\w-]+|testing\/[\w-]+)\.d\.ts$/;
const declarations = readdirSync(lib, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.name.endsWith('.d.ts'))
  .map((entry) => join(entry.parentPath, entry.name));
for (const file of declarations) {
  if (!PUBLIC.test(relative(lib, file).replaceAll(sep, '/'))) rmSync(file);
  // The compiler leaves `.ts` in declarations, which older compilers do not follow.
  else writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
