/** `npm pack`: makes `lib/`, the package as it is used from elsewhere. Node strips no types below node_modules, so it is JavaScript. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleHandlers } from './handlers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = resolve(process.argv[2] ?? join(root, 'lib'));

rmSync(lib, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.lib.json'), '--outDir', lib], { stdio: 'inherit' });

// For a page it is one file in which nothing of Node is left.
for (const file of filesIn(join(lib, 'browser'), '.js')) rmSync(file);
await bundleHandlers(join(lib, 'browser/index.js'));

// What is read at run time and is no code: documents, pages, demos.
for (const folder of ['fixtures', 'simulator', 'src/development'])
  cpSync(join(root, folder), join(lib, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });

/**
 * What pages show comes along as files: the packages themselves bring a script that calls home from the machine of whoever
 * installs ours (Swagger UI), or a hundred others (the styles).
 */
const SHOWN: readonly { readonly by: string; readonly from: string; readonly files: readonly string[] }[] = [
  {
    by: 'src/development/docs.js',
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'],
  },
  {
    by: 'simulator/console/index.js',
    from: '@utrecht/component-library-css',
    files: ['dist/index.css', 'LICENSE.md'],
  },
  {
    by: 'simulator/console/index.js',
    from: '@nl-design-system-unstable/voorbeeld-design-tokens',
    files: ['dist/theme.css', 'LICENSE.md'],
  },
];
for (const { by, from, files } of SHOWN) {
  for (const file of files)
    cpSync(join(root, 'node_modules', from, file), join(lib, dirname(by), 'packages', from, file));
  for (const quote of ["'", '`']) edit(join(lib, by), `${quote}${from}/`, `${quote}./packages/${from}/`);
  if (!readFileSync(join(lib, by), 'utf8').includes(`./packages/${from}/`))
    throw new Error(`${by} shows ${from} no more`);
}

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

function edit(file: string, what: string | RegExp, by: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(what, by));
}
