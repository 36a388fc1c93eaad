/** Bundles `browser/` into one ESM file that needs no Node modules. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { noticesOf, packagesOf } from './notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const here = (path: string): string => resolve(root, path);

const SHIMS: Readonly<Record<string, string>> = {
  'node:buffer': here('browser/shims/buffer.ts'),
  'node:crypto': here('browser/shims/crypto.ts'),
  'node:timers/promises': here('browser/shims/timers.ts'),
  'node:zlib': here('browser/shims/zlib.ts'),
};

/** The images that become part of the bundle, because a browser cannot read files. */
const IMAGES = ['diploma.png', 'identiteitskaart.jpg'];

const images: Plugin = {
  name: 'images',
  load: (id) => (id === here('simulator/people/image.ts') ? imageModule() : null),
};

function imageModule(): string {
  const files = Object.fromEntries(
    IMAGES.map((file) => [file, readFileSync(here(`fixtures/documents/${file}`)).toString('base64')]),
  );
  return `const files = ${JSON.stringify(files)};
export const fixtureImage = (file) => Uint8Array.from(atob(files[file]), (char) => char.charCodeAt(0));`;
}

/** A bundler plugin that makes the build fail when a module of Node without a replacement is imported. */
const noNode: Plugin = {
  name: 'no-node',
  resolveId(id, importer) {
    const shim = SHIMS[id];
    if (shim === undefined && isBuiltin(id)) throw new Error(`${id} has no place in a page; ${importer} asks for it`);
    return shim ?? null;
  },
};

/**
 * Writes the bundle of `browser/` to `file`, and the licences of the packages in it to `LICENCES.txt` beside it. MSW is
 * not part of the bundle, because the page and the handlers must use the same copy of MSW.
 */
export async function bundleHandlers(file: string): Promise<void> {
  const bundle = await rolldown({
    input: here('browser/index.ts'),
    platform: 'browser',
    external: ['msw'],
    // Libraries that look for these also work without them.
    transform: { define: { Buffer: 'undefined', 'globalThis.process': 'undefined' } },
    plugins: [images, noNode],
    logLevel: 'warn',
  });
  const { output } = await bundle.write({ file, format: 'esm', codeSplitting: false, minify: false });
  await bundle.close();
  const modules = output.flatMap((made) => ('modules' in made ? Object.keys(made.modules) : []));
  writeFileSync(join(dirname(file), 'LICENCES.txt'), noticesOf(root, packagesOf(root, modules)));
}
