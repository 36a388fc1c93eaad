import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Suffix of the name of a temporary file. A file with this suffix that is left after a crash can be deleted. */
export const PARTIAL_SUFFIX = '.part';

/**
 * Writes a file atomically, by a temporary file that is renamed, so that a reader never sees a partly written file.
 * Replaces an existing file.
 */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const partial = path + PARTIAL_SUFFIX;
  rmSync(partial, { force: true });
  writeFileSync(partial, content, { flag: 'wx' });
  renameSync(partial, path);
}
