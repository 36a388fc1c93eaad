/**
 * `npm run build`: makes `dist/` with only what production needs. There, `npm ci` installs it and `node start.js`
 * starts it.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
const write = (file: string, content: unknown) =>
  writeFileSync(join(dist, file), `${JSON.stringify(content, null, 2)}\n`);

rmSync(dist, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', dist], { stdio: 'inherit' });
renameSync(join(dist, 'production.js'), join(dist, 'start.js'));

/**
 * Names of the packages that the code in `dist/` imports. Packages that only the simulators need are not among them.
 */
function imported(): Set<string> {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(join(dist, file), 'utf8').matchAll(/\b(?:from |import |import\()'((?:@[\w-]+\/)?[a-z][\w.-]*)/g),
    ]);
  return new Set(names.map(([, name = '']) => name));
}

const { name, version, description, license, engines, dependencies: all } = read('package.json');
const needed = imported();
const dependencies = Object.fromEntries(Object.entries(all as Versions).filter(([one]) => needed.has(one)));
const own = { name, version, private: true, license, type: 'module', main: 'start.js', engines, dependencies };
const scripts = { start: 'node start.js', migrate: 'node start.js migrate' };
write('package.json', { ...own, description: description.replace(/, with .*/, ''), scripts });

// The lockfile without development packages, so that `npm ci` installs the same versions that were tested.
const lock: Lock = read('package-lock.json');
const kept = new Set<string>();

/** Adds a package and its dependencies to `kept`, resolved from the folder `from` as Node does: the nearest one. */
function keep(one: string, from: string): void {
  const folder = from === '' ? `node_modules/${one}` : `${from}/node_modules/${one}`;
  const found = lock.packages[folder];
  if (found === undefined) {
    if (from !== '') keep(one, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
    return;
  }
  if (kept.has(folder)) return;
  kept.add(folder);
  const { dependencies: its, optionalDependencies, peerDependencies } = found;
  for (const another of Object.keys({ ...its, ...optionalDependencies, ...peerDependencies })) keep(another, folder);
}
for (const one of Object.keys(dependencies)) keep(one, '');

write('package-lock.json', {
  ...lock,
  packages: {
    '': { name, version, engines, dependencies },
    ...Object.fromEntries(Object.entries(lock.packages).filter(([folder]) => kept.has(folder))),
  },
});

// The software bill of materials of that lockfile.
writeFileSync(join(dist, 'sbom.cdx.json'), sbomOf(dist, own));
