import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Permissions of group and others (POSIX mode bits). */
const OTHERS = 0o077;

/**
 * Returns the paths in a folder, including the folder, to which other users of the machine have access. Empty when the
 * folder itself is private or does not exist. Files that this service creates are private; existing ones are only
 * reported.
 */
export function accessibleToOthers(folder: string): readonly string[] {
  // Windows has no POSIX permissions.
  if (process.platform === 'win32' || !isShared(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isShared);
}

function isShared(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}
