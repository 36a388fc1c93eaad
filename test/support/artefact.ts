import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

/** What `npm run build` makes, as it would be after `npm ci` in it: with the packages of its own lockfile and no others. */
export async function buildArtefact(): Promise<string> {
  const dist = mkdtempSync(join(tmpdir(), 'artefact-'));
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist]);
  const { packages } = JSON.parse(readFileSync(join(dist, 'package-lock.json'), 'utf8')) as Lock;
  // Those inside others come along with them.
  const folders = Object.keys(packages).filter((folder) => folder.lastIndexOf('node_modules/') === 0);
  for (const folder of folders.filter((one) => existsSync(join(root, one)))) {
    mkdirSync(dirname(join(dist, folder)), { recursive: true });
    symlinkSync(join(root, folder), join(dist, folder));
  }
  return dist;
}
