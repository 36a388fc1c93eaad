import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';
import './run-folder.ts';

/**
 * Returns the path of a folder with this name, which all test files of a run share and no test may change. The first
 * call in a run fills the folder with `make`; later calls wait until it is filled. Rejects when `make` failed.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(process.env.VITEST === undefined ? ownFolder() : inject('runFolder'), name);
  const [made, failed] = [`${folder}.made`, `${folder}.failed`];
  if (isFirst(`${folder}.lock`)) {
    await make(folder).catch((error) => {
      writeFileSync(failed, '');
      throw error;
    });
    writeFileSync(made, '');
  }
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error(`${name} could not be made; see the file that tried it first`);
    await setTimeout(20);
  }
  return folder;
}

/** Returns a new temporary folder, which is removed when the process exits. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-run-'));
  // When root starts PostgreSQL, it runs as another user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns true for the first call with this path in all processes. */
function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
