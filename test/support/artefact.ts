import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './once.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the service once for all test files of a run (`npm run build`), and returns the path of the folder with the
 * result. The folder is outside this repository, so the service cannot find the packages of the repository. No test may
 * change the folder.
 */
export const buildArtefact = (): Promise<string> =>
  oncePerRun('artefact', (dist) => promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist]));
