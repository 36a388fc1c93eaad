import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a temporary folder that all workers of a test run share. */
    runFolder: string;
  }
}

/** Creates the temporary folder of a test run, and returns a function that removes it. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-run-'));
  // When root starts PostgreSQL, it runs as another user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  project.provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
