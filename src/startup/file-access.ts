import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The mode bits (POSIX) of the permissions of group and others. */
const OTHERS = 0o077;

/**
 * Returns the paths in a folder, including the folder itself, to which other users of the machine have access. Returns
 * an empty list when the folder is private or does not exist. The permissions of existing files are only reported, not
 * changed.
 */
export function accessibleToOthers(folder: string): readonly string[] {
  // Windows has no POSIX permissions.
  if (process.platform === 'win32' || !isShared(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isShared);
}

function isShared(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}
