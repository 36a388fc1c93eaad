import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { handlers } from '../../browser/index.ts';
import { bundleHandlers } from '../../scripts/handlers.ts';

export interface Bundle {
  readonly file: string;
  /** A temporary folder with the bundle. */
  readonly folder: string;
  load(): Promise<{ handlers: typeof handlers }>;
  remove(): void;
}

/**
 * Bundles `handlers()` (MSW request handlers that answer as the service) into one file, as a frontend gets it. `msw` is
 * the folder of the npm package to use as MSW.
 */
export async function bundleForTest(msw = 'node_modules/msw'): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-handlers-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL(`../../${msw}`, import.meta.url)), join(folder, 'node_modules/msw'));
  const file = join(folder, 'handlers.js');
  await bundleHandlers(file);
  return {
    file,
    folder,
    load: () => import(/* @vite-ignore */ pathToFileURL(file).href),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
