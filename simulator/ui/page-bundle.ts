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
  join(ROOT, 'src/wire'),
  join(ROOT, 'src/domain/specialismen.ts'),
  ...['worlds/journal-search', 'control/kept', 'reasons/wording', 'words'].map((name) => join(HERE, `../${name}.ts`)),
  join(ROOT, 'client'),
  join(ROOT, INSTALLED),
];

/** A module of the console with lists of the running service. It is a file of its own (console-files.ts). */
const OPERATIONS = /\/operations\.js$/;

/**
 * The bundle of each page, that of the letter in Mijn register, and the modules that both pages import, each by its path
 * below `/_simulator/`.
 */
const BUNDLES = {
  console: 'assets/main',
  mijn: 'mijn/main',
  letter: 'mijn/letter',
  shared: 'mijn/shared',
  docs: 'docs/page',
} as const;
type BundleName = keyof typeof BUNDLES;

/** A bundle: its JavaScript, and its source map, which contains the sources. */
export interface PageBundle {
  readonly code: Buffer;
  readonly map: Buffer;
}

/** The bundles that are being made, keyed by their folder. */
const making = new Map<string, Promise<Readonly<Record<BundleName, PageBundle>>>>();

/**
 * Returns a bundle of the pages, such as `mijn`. In the published package it is a file beside the pages. In the
 * repository all are made when their sources have changed, also while the service runs, and kept in `node_modules/.cache`.
 */
export async function pageBundle(name: BundleName): Promise<PageBundle> {
  const published = join(HERE, 'bundles');
  const kept = existsSync(published) ? published : join(CACHED, stampOfInputs());
  if (existsSync(kept)) {
    const [code, map] = await Promise.all([readFile(join(kept, `${name}.js`)), readFile(join(kept, `${name}.js.map`))]);
    return { code, map };
  }
  const made = making.get(kept) ?? makeAndKeep(kept).finally(() => making.delete(kept));
  making.set(kept, made);
  return (await made)[name];
}

/** Makes the bundles of the pages as files in a new folder. Returns the paths of the modules in them. */
export async function writePageBundles(folder: string): Promise<string[]> {
  const { bundles, modules } = await bundle();
  await write(bundles, folder);
  return modules;
}

async function write(bundles: Readonly<Record<BundleName, PageBundle>>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    Object.entries(bundles).flatMap(([name, { code, map }]) => [
      writeFile(join(folder, `${name}.js`), code),
      writeFile(join(folder, `${name}.js.map`), map),
    ]),
  );
}

async function makeAndKeep(folder: string): Promise<Readonly<Record<BundleName, PageBundle>>> {
  const { bundles } = await bundle();
  try {
    await mkdir(CACHED, { recursive: true });
    // Without this one, which another process may just have made.
    const earlier = readdirSync(CACHED).filter((name) => join(CACHED, name) !== folder);
    // Renamed at once, so that another process never reads a part of it.
    const temporary = join(CACHED, randomUUID());
    await write(bundles, temporary);
    await rename(temporary, folder).catch(() => rm(temporary, { recursive: true }));
    await Promise.all(earlier.map((one) => rm(join(CACHED, one), { recursive: true, force: true })));
  } catch {
    // In a folder that cannot be written, the bundles are made for each request.
  }
  return bundles;
}

async function bundle(): Promise<{ bundles: Readonly<Record<BundleName, PageBundle>>; modules: string[] }> {
  // Loaded only when the sources have changed.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: {
      [BUNDLES.console]: join(HERE, 'console/main.tsx'),
      [BUNDLES.mijn]: join(HERE, 'mijn/main.tsx'),
      [BUNDLES.docs]: join(HERE, 'docs/main.ts'),
    },
    platform: 'browser',
    tsconfig: join(HERE, 'tsconfig.json'),
    plugins: [
      {
        name: 'operations',
        resolveId: {
          filter: { id: OPERATIONS },
          handler: () => ({ id: '/_simulator/assets/operations.js', external: true }),
        },
      },
    ],
    logLevel: 'warn',
    write: false,
    output: {
      format: 'esm',
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
      chunkFileNames: ({ isDynamicEntry }) => `${isDynamicEntry ? BUNDLES.letter : BUNDLES.shared}.js`,
      sourcemap: true,
      minify: true,
    },
  });
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  const bundleAt = (path: string): PageBundle => {
    const { code, map } = chunks.find(({ fileName }) => fileName === `${path}.js`) as OutputChunk;
    return { code: Buffer.from(code), map: Buffer.from(JSON.stringify(map)) };
  };
  return {
    bundles: {
      console: bundleAt(BUNDLES.console),
      mijn: bundleAt(BUNDLES.mijn),
      letter: bundleAt(BUNDLES.letter),
      shared: bundleAt(BUNDLES.shared),
      docs: bundleAt(BUNDLES.docs),
    },
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
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
