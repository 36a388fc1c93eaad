import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Rights of group and others (POSIX mode bits). */
const OTHERS = 0o077;

/**
 * Names what in a folder others can get at, the folder included: nothing when the folder itself is closed to them, or is not
 * there. What this service makes is its owner's alone; what was there before is left as it is, and told.
 */
export function sharedIn(folder: string): readonly string[] {
  // Windows has no such bits.
  if (process.platform === 'win32' || !isShared(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isShared);
}

function isShared(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}
