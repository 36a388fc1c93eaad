/** `npm pack`: makes `lib/`, the package as it is used from elsewhere. Node strips no types below node_modules, so it is JavaScript. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = resolve(process.argv[2] ?? join(root, 'lib'));

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
edit(join(lib, 'src/development/docs.js'), '`swagger-ui-dist/', '`./swagger-ui-dist/');

// Who installed the package has another command than who cloned the repository.
for (const file of filesIn(lib, '.js')) {
  const text = readFileSync(file, 'utf8');
  const said = text
    .replaceAll('npm start', 'npx zorgregister-bff')
    .replaceAll(/npm run (sim|simulators|migrate|reset|letters)\b( --)?/g, 'npx zorgregister-bff $1');
  if (said !== text && !file.endsWith('supported-node.js')) writeFileSync(file, said);
}

// The types of what can be imported, and of what they mention; nobody needs those of the rest.
const doors = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports as Record<
  string,
  { types?: string }
>;
const wanted = new Set(
  Object.values(doors).flatMap(({ types }) => (types ? [join(lib, types.replace('./lib/', ''))] : [])),
);
for (const file of wanted) {
  // The compiler leaves `.ts` in declarations, which older compilers do not follow.
  edit(file, /(from '|import\(['"])(\.[^'"]+)\.ts(['"])/g, '$1$2.js$3');
  for (const [, , target = ''] of readFileSync(file, 'utf8').matchAll(/(from '|import\(['"])(\.[^'"]+)\.js/g))
    wanted.add(`${join(dirname(file), target)}.d.ts`);
}
for (const file of filesIn(lib, '.d.ts')) if (!wanted.has(file)) rmSync(file);

function filesIn(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Fails when there is nothing to replace, as what stood there is then somewhere else. */
function edit(file: string, what: string | RegExp, by: string): void {
  if (!existsSync(file)) throw new Error(`${file} was not made`);
  const text = readFileSync(file, 'utf8');
  const edited = text.replaceAll(what, by);
  if (typeof what === 'string' && edited === text) throw new Error(`${file} does not say ${what} any more`);
  writeFileSync(file, edited);
}
