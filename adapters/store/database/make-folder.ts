import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and the folders above it, with access only for the user of this process. Throws the error of the file
 * system. Node's own recursive `mkdirSync` never ends where a file system refuses a folder with ENOENT, as /proc does.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may just have made it.
    if (!existsSync(folder)) throw error;
  }
}
