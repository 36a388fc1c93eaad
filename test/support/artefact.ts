import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './once.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the path of the result of `npm run build`, in a folder outside this repository's packages. All test files of
 * a run share the folder, so no test may change it.
 */
export const buildArtefact = (): Promise<string> =>
  oncePerRun('artefact', (dist) => promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist]));
