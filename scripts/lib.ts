/**
 * `node scripts/lib.ts`: builds `lib/`, the content of the published package: the code and its packages in a few files,
 * because Node takes longest to find and read many; the types; and the files that the code reads.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { writePageBundles } from '../simulator/ui/page-bundle.ts';
import { INPUT, OUTPUT, placeOfSource } from './bundle.ts';
import { bundleHandlers } from './handlers.ts';
import { noticesOf, packagesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const here = (path: string): string => join(root, path);
const lib = here('lib');

/** The entries of the package: the files of `exports` and `bin` in package.json, by their source. */
const ENTRIES: Readonly<Record<string, string>> = {
  [here('start.js')]: 'start',
  [here('index.ts')]: 'index',
  [here('client/index.ts')]: 'client/index',
  [here('testing/index.ts')]: 'testing',
  [here('testing/vitest.ts')]: 'vitest',
  [here('testing/playwright.ts')]: 'playwright',
};

/** A bundler plugin with which an entry that another imports stays a file of its own. */
const entries: Plugin = {
  name: 'entries',
  resolveId: {
    filter: { id: /^\./ },
    handler(id, importer = '') {
      const entry = ENTRIES[resolve(importer, '..', id)];
      return entry === undefined ? null : { id: `./${entry}.js`, external: true };
    },
  },
};

/** Builds `lib/`, and returns the names of the modules that are not in it and that its code imports. */
export async function buildLib(): Promise<Set<string>> {
  rmSync(lib, { recursive: true, force: true });
  const tsc = here('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', here('tsconfig.lib.json'), '--noCheck'], { stdio: 'inherit' });

  const { [here('client/index.ts')]: client = '', ...ofNode } = ENTRIES;
  // The bundles for browsers are a file each that uses nothing of Node.
  await bundleHandlers(join(lib, 'browser/index.js'));
  await build({ input: here('client/index.ts'), platform: 'browser', output: { file: join(lib, `${client}.js`) } });

  // All modules are in one folder: `placeOfSource` and `entries` name files relative to it.
  const { output } = await build({
    ...INPUT,
    input: Object.fromEntries(Object.entries(ofNode).map(([source, name]) => [name, source])),
    external: [...INPUT.external, 'vitest', '@playwright/test'],
    plugins: [...INPUT.plugins, entries, placeOfSource(root)],
    output: { ...OUTPUT, dir: lib, comments: { legal: false, jsdoc: false, annotation: true } },
  });
  const chunks = output.filter((one) => one.type === 'chunk');
  // Files that are read at run time and are not code: documents, pages, demonstrations.
  for (const folder of ['fixtures', 'simulator'])
    cpSync(here(folder), join(lib, folder), { recursive: true, filter: (file) => !/\.tsx?$/.test(file) });
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  modules.push(...(await writePageBundles(join(lib, 'simulator/ui/bundles'))));

  const packages = packagesOf(root, modules);
  const { name, description } = JSON.parse(readFileSync(here('package.json'), 'utf8'));
  writeFileSync(join(lib, 'sbom.cdx.json'), sbomOf(root, packages, { name, description }));
  writeFileSync(join(lib, 'LICENCES.txt'), noticesOf(root, packages));
  return new Set(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildLib();
