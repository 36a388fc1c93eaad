// Plain JavaScript, because start.js loads it before anything else.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the bundle that `npm start` runs, relative to the folder of start.js. */
export const CACHE = 'node_modules/.cache/zorgregister-bff';
/** A file that npm writes when it changes the installed packages, relative to the same folder. */
export const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Returns a text that changes when a file changes: the time of its last change and its size. Returns null when the file
 * does not exist.
 * @param {string} file
 * @returns {string | null}
 */
export function stampOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.mtimeMs} ${found.size}`;
}

/**
 * Returns the folder of the bundle. Returns null when there is no bundle, or when one of its source files has changed
 * since it was made (decisions/0063-npm-start-runs-a-bundle.md).
 * @param {string} root - URL of a file in the folder of the project
 * @returns {URL | null}
 */
export function freshBundle(root) {
  // tsx (`npm run dev -- simulators`) watches the sources.
  if (process.execArgv.some((word) => word.includes('tsx'))) return null;
  try {
    const { folder, files } = JSON.parse(readFileSync(new URL(`${CACHE}/inputs.json`, root), 'utf8'));
    const prefix = fileURLToPath(new URL('.', root));
    const isFresh = Object.entries(files).every(([file, stamp]) => stampOf(prefix + file) === stamp);
    return isFresh ? new URL(`${CACHE}/${folder}/`, root) : null;
  } catch {
    return null;
  }
}
