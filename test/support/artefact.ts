import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './once-per-run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the service once in a test run, and returns the path of its folder, which no test may change. The folder is
 * outside this repository, so that the built service does not find the packages of the repository. The types are not
 * checked, which takes most of the time of a build: `npm run types` does that.
 */
export const buildArtefact = (): Promise<string> =>
  oncePerRun('artefact', (dist) =>
    promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist, '--noCheck']),
  );
