import { renameSync, writeFileSync } from 'node:fs';

/** Suffix of a file that is still being written. A file that keeps it after a crash can be deleted. */
export const PARTIAL_SUFFIX = '.part';

/**
 * Writes a file atomically: to a temporary file in the same folder, which is then renamed. A reader never sees a part.
 */
export function writeFileAtomically(path: string, content: string): void {
  writeFileSync(path + PARTIAL_SUFFIX, content);
  renameSync(path + PARTIAL_SUFFIX, path);
}
