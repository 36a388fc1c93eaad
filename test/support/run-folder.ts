import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of this run of the suite, for what its workers share (`once.ts`). */
    runFolder: string;
  }
}

/** Gives the run a folder of its own, and removes it at the end. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-run-'));
  // A PostgreSQL that was started by root runs as a user of its own, who must be able to get in.
  chmodSync(folder, 0o755);
  project.provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
