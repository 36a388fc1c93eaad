/**
 * Builds `lib/`, the content of the published package: the code and its packages in a few files, because Node takes
 * longest to find and read many; the types; and the files that the code reads. An argument replaces the path of `lib/`.
 * `npm pack` runs this script.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { writePageBundle } from '../simulator/ui/page-bundle.ts';
import { INPUT, OUTPUT, placeOfSource } from './bundle.ts';
import { bundleHandlers } from './handlers.ts';
import { noticesOf, packagesOf } from './notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const lib = resolve(process.argv[2] ?? join(root, 'lib'));
const here = (path: string): string => join(root, path);

rmSync(lib, { recursive: true, force: true });
const tsc = here('node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', here('tsconfig.lib.json'), '--outDir', lib, '--noCheck'], {
  stdio: 'inherit',
});

/** The entries of the package: the files of `exports` and `bin` in package.json, by their source. */
const ENTRIES: Readonly<Record<string, string>> = {
  [here('start.js')]: 'start',
  [here('index.ts')]: 'index',
  [here('client/index.ts')]: 'client/index',
  [here('testing/index.ts')]: 'testing',
  [here('testing/vitest.ts')]: 'vitest',
  [here('testing/playwright.ts')]: 'playwright',
};
const { [here('client/index.ts')]: client = '', ...ofNode } = ENTRIES;

// The bundles for browsers are a file each that uses nothing of Node.
await bundleHandlers(join(lib, 'browser/index.js'));
await build({ input: here('client/index.ts'), platform: 'browser', output: { file: join(lib, `${client}.js`) } });

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

// All in one folder: `placeOfSource` and `entries` name files relative to it.
const { output } = await build({
  ...INPUT,
  input: Object.fromEntries(Object.entries(ofNode).map(([source, name]) => [name, source])),
  external: [...INPUT.external, 'vitest', '@playwright/test'],
  plugins: [...INPUT.plugins, entries, placeOfSource(root)],
  output: { ...OUTPUT, dir: lib, comments: { legal: false, jsdoc: false, annotation: true } },
});
const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
writeFileSync(join(lib, 'LICENCES.txt'), noticesOf(root, packagesOf(root, modules)));

// Files that are read at run time and are not code: documents, pages, demonstrations.
for (const folder of ['fixtures', 'simulator'])
  cpSync(here(folder), join(lib, folder), { recursive: true, filter: (file) => !/\.tsx?$/.test(file) });

for (const page of ['console', 'mijn'] as const) await writePageBundle(page, join(lib, `simulator/ui/${page}`));
