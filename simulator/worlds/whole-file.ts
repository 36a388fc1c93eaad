import { renameSync, writeFileSync } from 'node:fs';

/** How the name of a file ends that is still being written; what was left so is nobody's. */
export const UNFINISHED = '.part';

/** Writes a file of which nobody ever sees a half: under another name first, in the same folder. */
export function writeWhole(path: string, content: string): void {
  writeFileSync(path + UNFINISHED, content);
  renameSync(path + UNFINISHED, path);
}
