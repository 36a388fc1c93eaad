import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The permission bits (POSIX) of a file for group and others. */
const OTHERS = 0o077;

/**
 * Returns the folder and the paths directly in it to which other users of this machine have access. Returns an empty
 * list when the folder itself is not shared or does not exist, and on Windows.
 */
export function accessibleToOthers(folder: string): readonly string[] {
  // Windows has no POSIX permissions.
  if (process.platform === 'win32' || !isShared(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isShared);
}

function isShared(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}
