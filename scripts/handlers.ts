/** Bundles `browser/` into one ESM file in which nothing of Node is left: `node scripts/handlers.ts <file>`. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const here = (path: string): string => resolve(root, path);

/** What of Node the service asks, and what stands in its place. */
const SHIMS: Readonly<Record<string, string>> = {
  'node:crypto': here('browser/shims/crypto.ts'),
  'node:timers/promises': here('browser/shims/timers.ts'),
};

/** Images that the simulators read from files; where there are none they are part of the code. */
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
export const imageOf = (file) => Uint8Array.from(atob(files[file]), (char) => char.charCodeAt(0));`;
}

/** Something of Node that nobody thought of must not get out. */
const noNode: Plugin = {
  name: 'no-node',
  resolveId(id, importer) {
    const shim = SHIMS[id];
    if (shim === undefined && isBuiltin(id)) throw new Error(`${id} has no place in a page; ${importer} asks for it`);
    return shim ?? null;
  },
};

/** MSW stays outside: handlers must be of the same copy as the worker or server that is given them. */
export async function bundleHandlers(file: string): Promise<void> {
  const bundle = await rolldown({
    input: here('browser/index.ts'),
    platform: 'browser',
    external: ['msw'],
    // Libraries that ask for them make do without.
    transform: { define: { Buffer: 'undefined', 'globalThis.process': 'undefined' } },
    plugins: [images, noNode],
    logLevel: 'warn',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false, minify: false });
  await bundle.close();
}

const [, script, file] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  if (file === undefined) throw new Error('node scripts/handlers.ts <file>');
  await bundleHandlers(resolve(file));
}
