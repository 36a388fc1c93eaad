import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freshBundle } from '../../src/startup/process/start-bundle.js';

/**
 * Makes the bundle that `npm start` runs, if it is not up to date, once before a test run. Without it, the processes of
 * tests start more slowly (decisions/0001-sources-run-without-a-build.md).
 */
export default async function setup(): Promise<void> {
  const root = new URL('../../', import.meta.url);
  if (freshBundle(root.href) !== null) return;
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('scripts/start-bundle.ts', root))]);
}
