import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oncePerRun } from './once.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm run build` makes, in a folder that has no packages above it. Nobody may change it: all files share it. */
export const buildArtefact = (): Promise<string> =>
  oncePerRun('artefact', (dist) => promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), dist]));
