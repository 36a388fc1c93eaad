import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Suffix of the name of a temporary file. A file with this suffix that is left after a crash can be deleted. */
export const PARTIAL_SUFFIX = '.part';

/**
 * Writes a file atomically, by a temporary file that is renamed, so that a reader never sees a partly written file.
 * Replaces an existing file. When it throws, such as on a full disk, the existing file is unchanged and the temporary file
 * is deleted.
 */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const partial = path + PARTIAL_SUFFIX;
  rmSync(partial, { force: true });
  try {
    writeFileSync(partial, content, { flag: 'wx' });
    renameSync(partial, path);
  } catch (error) {
    // On a full disk a part of the file takes the last room.
    rmSync(partial, { force: true });
    throw error;
  }
}
