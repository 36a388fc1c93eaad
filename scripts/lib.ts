/** `npm pack`: makes `lib/`, the package as it is used from elsewhere. Node strips no types below node_modules, so it is JavaScript. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = process.argv[2] ?? join(root, 'lib');

rmSync(lib, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.lib.json'), '--outDir', lib], { stdio: 'inherit' });

// What is read at run time and is no code: documents, pages, demos.
for (const folder of ['fixtures', 'simulator', 'src/development'])
  cpSync(join(root, folder), join(lib, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });

// Swagger UI itself, and not its package: that would bring a script which calls home from the machine of whoever installs ours.
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])
  cpSync(join(swagger, file), join(lib, 'src/development/swagger-ui-dist', file));
const docs = join(lib, 'src/development/docs.js');
const asked = readFileSync(docs, 'utf8');
if (!asked.includes('`swagger-ui-dist/')) throw new Error('src/development/docs.ts no longer asks for swagger-ui-dist');
writeFileSync(docs, asked.replaceAll('`swagger-ui-dist/', '`./swagger-ui-dist/'));

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
