/**
 * `npm run build`: makes `dist/`, the service and its packages in a few files
 * (decisions/0049-the-artefact-is-bundled.md). Arguments: another folder than `dist/`, and options of `tsc`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { INPUT, OUTPUT } from './bundle.ts';
import { NODE_OPTIONS } from './node-options.ts';
import { noticesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');

type Versions = Readonly<Record<string, string>>;

interface Lock {
  readonly packages: Record<
    string,
    { readonly dependencies?: Versions; readonly optionalDependencies?: Versions; readonly peerDependencies?: Versions }
  >;
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/**
 * The folder of the compiled sources before they are bundled. It is in `node_modules`, so that the sources find the
 * packages.
 */
const stage = mkdtempSync(join(root, 'node_modules', '.build-'));
process.on('exit', () => rmSync(stage, { recursive: true, force: true }));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const compile = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', stage, ...process.argv.slice(3)];
execFileSync(process.execPath, compile, { stdio: 'inherit' });
renameSync(join(stage, 'production.js'), join(stage, 'start.js'));

/** Returns the names of the packages that the compiled code imports. */
function imported(): Set<string> {
  const names = readdirSync(stage, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(join(stage, file), 'utf8').matchAll(/\b(?:from |import |import\()'((?:@[\w-]+\/)?[a-z][\w.-]*)/g),
    ]);
  return new Set(names.map(([, name = '']) => name));
}

const { name, version, description, license, engines, dependencies: all } = read('package.json');
const needed = imported();
const dependencies = Object.fromEntries(Object.entries(all as Versions).filter(([one]) => needed.has(one)));
const own = { name, version, private: true, license, type: 'module', main: 'start.js', engines };

// The packages of the bundle: those that the lockfile names, without development packages.
const lock: Lock = read('package-lock.json');
const kept = new Set<string>();

/**
 * Adds a package and the packages that it depends on to `kept`. A package is searched from the folder `from` upwards,
 * as Node does.
 */
function addPackage(one: string, from: string): void {
  const folder = from === '' ? `node_modules/${one}` : `${from}/node_modules/${one}`;
  const found = lock.packages[folder];
  if (found === undefined) {
    if (from !== '') addPackage(one, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
    return;
  }
  if (kept.has(folder)) return;
  kept.add(folder);
  const { dependencies: its, optionalDependencies, peerDependencies } = found;
  for (const another of Object.keys({ ...its, ...optionalDependencies, ...peerDependencies }))
    addPackage(another, folder);
}
for (const one of Object.keys(dependencies)) addPackage(one, '');

const write = (folder: string, file: string, content: unknown) =>
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
write(stage, 'package.json', { ...own, dependencies });
write(stage, 'package-lock.json', {
  ...lock,
  packages: {
    '': { name, version, engines, dependencies },
    ...Object.fromEntries(Object.entries(lock.packages).filter(([folder]) => kept.has(folder))),
  },
});

rmSync(dist, { recursive: true, force: true });
await build({
  ...INPUT,
  input: join(stage, 'start.js'),
  cwd: stage,
  output: { ...OUTPUT, dir: dist, comments: { legal: false, jsdoc: false, annotation: true } },
});
const scripts = {
  start: `node ${NODE_OPTIONS.join(' ')} start.js`,
  migrate: 'node start.js migrate',
};

/** Returns the id of the build: the same code always has the same id. */
function buildId(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(dist).sort()) hash.update(`${file}\0`).update(readFileSync(join(dist, file)));
  return hash.digest('hex').slice(0, 12);
}
write(dist, 'package.json', { ...own, build: buildId(), description: description.replace(/, with .*/, ''), scripts });
writeFileSync(join(dist, 'sbom.cdx.json'), sbomOf(stage, own));
writeFileSync(join(dist, 'LICENCES.txt'), noticesOf(root, kept));
