import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The permission bits (POSIX) of a file for group and others. */
const OTHERS = 0o077;

/**
 * Returns the paths in a folder, including the folder itself, to which other users of this machine have access. Returns
 * an empty list when there are none, when the folder does not exist, and on Windows. Does not change the permissions.
 */
export function accessibleToOthers(folder: string): readonly string[] {
  // Windows has no POSIX permissions.
  if (process.platform === 'win32' || !isShared(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isShared);
}

function isShared(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}
