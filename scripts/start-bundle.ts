/**
 * Makes the bundle that `npm start` runs, in `node_modules/.cache` (decisions/0001-sources-run-without-a-build.md).
 * Does nothing when the bundle is up to date.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputChunk } from 'rolldown';
import { CACHE, freshBundle, INSTALLED, stampOf } from '../src/startup/process/start-bundle.js';
import { INPUT, OUTPUT, placeOfSource } from './bundle.ts';

const at = new URL('../', import.meta.url);
const root = fileURLToPath(at);
const cache = join(root, CACHE);
/** Milliseconds after which an earlier bundle is removed. Until then, a process may still load a part of it. */
const MAX_BUNDLE_AGE = 24 * 60 * 60_000;
const LOCK_TIMEOUT = 60_000;

const ageOf = (path: string): number => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** Does nothing when another process has the lock. A lock older than `LOCK_TIMEOUT` is removed first. */
async function withLock(work: () => Promise<void>): Promise<void> {
  const lock = join(cache, 'lock');
  mkdirSync(cache, { recursive: true });
  if (ageOf(lock) > LOCK_TIMEOUT) rmSync(lock, { recursive: true, force: true });
  try {
    mkdirSync(lock);
  } catch {
    return;
  }
  await work().finally(() => rmSync(lock, { recursive: true, force: true }));
}

async function bundle(): Promise<void> {
  const making = join(cache, 'making');
  rmSync(making, { recursive: true, force: true });
  // The time is taken before the sources are read, so that a change in the meantime is noticed.
  const before = Date.now();
  const { output } = await build({
    ...INPUT,
    input: { main: join(root, 'src/main.ts'), host: join(root, 'simulator/host/index.ts') },
    plugins: [...INPUT.plugins, placeOfSource(join(cache, 'bundle'))],
    output: { ...OUTPUT, dir: making, sourcemap: true, sourcemapExcludeSources: true, comments: false },
  });
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  // The files of packages are not listed: `INSTALLED` changes when they change.
  const modules = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(root) && !id.includes('node_modules'));
  const files = Object.fromEntries(
    [...modules.map((id) => relative(root, id).replaceAll('\\', '/')), 'package.json', ...SCRIPTS, INSTALLED].map(
      (file) => [file, stampOf(join(root, file))],
    ),
  );
  if (Object.values(files).some((stamp) => Number(stamp?.split(' ')[0]) > before)) return;
  writeFileSync(join(making, 'package.json'), '{ "type": "module" }\n');
  const folder = `bundle-${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)}`;
  rmSync(join(cache, folder), { recursive: true, force: true });
  renameSync(making, join(cache, folder));
  const list = join(cache, 'inputs.json');
  writeFileSync(`${list}.new`, JSON.stringify({ folder, files }));
  renameSync(`${list}.new`, list);
  for (const one of readdirSync(cache))
    if (one.startsWith('bundle-') && one !== folder && ageOf(join(cache, one)) > MAX_BUNDLE_AGE)
      rmSync(join(cache, one), { recursive: true, force: true });
}

const SCRIPTS = ['scripts/start-bundle.ts', 'scripts/bundle.ts'];

if (freshBundle(at.href) === null) await withLock(bundle);
