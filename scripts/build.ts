/** `npm run build`: `dist/`, all that production needs and nothing else. In it, `npm ci` installs and `node start.js` starts. */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');

interface Lock {
  readonly packages: Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>;
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const write = (file: string, content: unknown) =>
  writeFileSync(join(dist, file), `${JSON.stringify(content, null, 2)}\n`);

rmSync(dist, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', dist], { stdio: 'inherit' });
renameSync(join(dist, 'production.js'), join(dist, 'start.js'));

const { name, version, description, engines, dependencies } = read('package.json');
const own = { name, version, private: true, type: 'module', main: 'start.js', engines, dependencies };
const scripts = { start: 'node start.js', migrate: 'node start.js migrate' };
write('package.json', { ...own, description: description.replace(/, with .*/, ''), scripts });

// The lockfile without what only development installs, so that `npm ci` brings the very versions that the tests ran with.
const lock: Lock = read('package-lock.json');
const packages = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
write('package-lock.json', {
  ...lock,
  packages: { ...Object.fromEntries(packages), '': { name, version, engines, dependencies } },
});
