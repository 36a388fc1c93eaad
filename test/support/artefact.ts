import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm run build` makes, in a folder that has no packages above it. */
export async function buildArtefact(): Promise<string> {
  const dist = mkdtempSync(join(tmpdir(), 'artefact-'));
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist]);
  return dist;
}
