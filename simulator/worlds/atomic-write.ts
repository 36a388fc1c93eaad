import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Suffix of the name of a file that is still being written. After a crash such a file can be deleted. */
export const PARTIAL_SUFFIX = '.part';

/**
 * Writes a file atomically: writes a temporary file in the same folder, and then renames that file, so that a reader
 * never sees a file that is partly written. Replaces an existing file. A symbolic link with the name of the temporary
 * file is removed and not followed, because the folder can be part of a project that another person made.
 */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const partial = path + PARTIAL_SUFFIX;
  rmSync(partial, { force: true });
  writeFileSync(partial, content, { flag: 'wx' });
  renameSync(partial, path);
}
