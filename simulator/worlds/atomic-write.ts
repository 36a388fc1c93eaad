import { renameSync, writeFileSync } from 'node:fs';

/** Suffix of the name of a file that is still being written. After a crash such a file can be deleted. */
export const PARTIAL_SUFFIX = '.part';

/**
 * Writes a file atomically: writes a temporary file in the same folder, and then renames that file. A reader never sees
 * a file that is partly written.
 */
export function writeFileAtomically(path: string, content: string): void {
  writeFileSync(path + PARTIAL_SUFFIX, content);
  renameSync(path + PARTIAL_SUFFIX, path);
}
