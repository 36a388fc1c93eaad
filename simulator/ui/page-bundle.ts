/** The modules that the browser loads for the pages, as bundles (decisions/0066-pages-of-the-simulator.md). */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutputChunk } from 'rolldown';
import { CACHE, INSTALLED, stampOf } from '../../src/startup/process/start-bundle.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHED = join(ROOT, CACHE, 'pages');
/** The folders and files that a bundle depends on. */
const INPUTS = [
  HERE,
  join(HERE, '../letters'),
  join(HERE, '../worlds/journal-search.ts'),
  join(ROOT, 'client'),
  join(ROOT, INSTALLED),
];

/** A module of the console with lists of the running service. It is a file of its own (console-files.ts). */
const OPERATIONS = /\/operations\.js$/;

type Page = 'console' | 'mijn';

/** A bundle: its JavaScript, and its source map, which contains the sources. */
export interface PageBundle {
  readonly code: Buffer;
  readonly map: Buffer;
}

/** The bundles that are being made, keyed by their path without extension. */
const making = new Map<string, Promise<PageBundle>>();

/**
 * Returns the bundle of a page, such as `mijn`. In the published package it is a file beside the page. In the
 * repository it is made when its sources have changed, also while the service runs, and kept in `node_modules/.cache`.
 */
export async function pageBundle(page: Page): Promise<PageBundle> {
  const published = join(HERE, page, 'main');
  if (existsSync(`${published}.js`)) return readBundle(published);
  const kept = join(CACHED, `${page}-${stampOfInputs()}`);
  if (existsSync(`${kept}.js`)) return readBundle(kept);
  const made = making.get(kept) ?? makeAndKeep(page, kept).finally(() => making.delete(kept));
  making.set(kept, made);
  return made;
}

/**
 * Makes the bundle of a page as the files `main.js` and `main.js.map` in a folder. Returns the paths of the modules in
 * it.
 */
export async function writePageBundle(page: Page, folder: string): Promise<string[]> {
  const { code, map, modules } = await bundle(page);
  await Promise.all([writeFile(join(folder, 'main.js'), code), writeFile(join(folder, 'main.js.map'), map)]);
  return modules;
}

async function readBundle(path: string): Promise<PageBundle> {
  const [code, map] = await Promise.all([readFile(`${path}.js`), readFile(`${path}.js.map`)]);
  return { code, map };
}

async function makeAndKeep(page: Page, path: string): Promise<PageBundle> {
  const made = await bundle(page);
  try {
    await mkdir(CACHED, { recursive: true });
    const earlier = readdirSync(CACHED).filter((file) => file.startsWith(`${page}-`));
    // The code last: a bundle is complete when its code is there.
    await writeWhole(`${path}.js.map`, made.map);
    await writeWhole(`${path}.js`, made.code);
    await Promise.all(earlier.map((file) => rm(join(CACHED, file), { force: true })));
  } catch {
    // In a folder that cannot be written, the bundle is made for each request.
  }
  return made;
}

/** Writes a file at once, so that another process never reads a part of it. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const temporary = join(CACHED, randomUUID());
  await writeFile(temporary, content);
  await rename(temporary, path);
}

async function bundle(page: Page): Promise<PageBundle & { readonly modules: string[] }> {
  // Loaded only when the sources have changed.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: join(HERE, page, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(HERE, 'tsconfig.json'),
    external: OPERATIONS,
    logLevel: 'warn',
    write: false,
    output: { format: 'esm', file: 'main.js', sourcemap: true, minify: true },
  });
  const { code, map, moduleIds } = output.find((one): one is OutputChunk => one.type === 'chunk') as OutputChunk;
  return { code: Buffer.from(code), map: Buffer.from(JSON.stringify(map)), modules: moduleIds };
}

/** Returns a text that changes when a file that a bundle depends on is changed, added or removed. */
function stampOfInputs(): string {
  const files = INPUTS.flatMap((path) =>
    /\.(?:ts|json)$/.test(path)
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(?:tsx?|json)$/.test(name))
          .map((name) => join(path, name)),
  );
  const stamps = files.sort().map((file) => `${file} ${stampOf(file)}`);
  return createHash('sha256').update(stamps.join()).digest('hex').slice(0, 12);
}
