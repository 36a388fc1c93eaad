import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';
import './run-folder.ts';

/**
 * Returns the path of a folder that is made once in a run of the suite: the first file that asks for it makes it with
 * `make`, the others wait. Nobody may change it. Throws when it could not be made.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(inject('runFolder'), name);
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

/** True for the first process that asks: only one can make a folder. */
function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
