import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a temporary folder that all workers of a test run share. */
    runFolder: string;
  }
}

/** Name of the folder with compiled code that Node keeps in the temporary folder. */
const COMPILED = 'node-compile-cache';

/**
 * Creates the temporary folder of a test run, and returns a function that removes it. For the projects `service` and `long` it is the folder for
 * all temporary files, so that also those of a process that was killed are removed. A browser is unpacked once for many
 * runs, so its tests keep the folder of the system.
 */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-run-'));
  // When root starts PostgreSQL, it runs as another user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  project.provide('runFolder', folder);
  if (project.vitest.projects.every(({ name }) => name === 'service' || name === 'long')) {
    // Compiled code is kept for the next run.
    mkdirSync(join(tmpdir(), COMPILED), { recursive: true });
    symlinkSync(join(tmpdir(), COMPILED), join(folder, COMPILED));
    process.env.TMPDIR = folder;
  }
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns a new temporary folder. With the run's own folder it is removed at the end of the run. */
export const temporaryFolder = (name: string): string => mkdtempSync(join(tmpdir(), `${name}-`));
