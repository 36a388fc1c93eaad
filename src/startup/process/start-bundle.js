// Plain JavaScript, because start.js loads it before anything else.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder with the bundle that `npm start` runs, relative to the folder of start.js. */
export const CACHE = 'node_modules/.cache/zorgregister-bff';
/** A file that npm writes when it changes the installed packages, relative to the folder of start.js. */
export const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Returns the time of the last change of a file and its size, as one text, to see later whether the file has changed.
 * Returns null when the file does not exist.
 * @param {string} file
 * @returns {string | null}
 */
export function stampOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.mtimeMs} ${found.size}`;
}

/**
 * Returns the folder of the bundle. Returns null when there is no bundle, when one of its source files has changed
 * since it was made, or when the service runs under tsx (decisions/0001-sources-run-without-a-build.md).
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
