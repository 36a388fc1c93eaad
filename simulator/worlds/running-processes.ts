import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../adapters/store/files.ts';

/** Returns the folder with one empty file for each process that uses `dataDir`, named after its process id. */
const folderOf = (dataDir: string): string => join(dataDir, 'running');

/** Returns a function that removes the record. For `:memory:`, neither does anything. */
export function registerProcess(dataDir: string): () => void {
  if (dataDir === ':memory:') return () => undefined;
  const file = join(folderOf(dataDir), String(process.pid));
  makeFolder(folderOf(dataDir));
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}

/**
 * Returns the ids of the other processes that use a data folder; none for `:memory:`. Also removes the records of
 * processes that have ended.
 */
export function processesUsing(dataDir: string): number[] {
  if (dataDir === ':memory:') return [];
  return filesIn(dataDir).filter((pid) => {
    if (pid === process.pid) return false;
    if (isAlive(pid)) return true;
    rmSync(join(folderOf(dataDir), String(pid)), { force: true });
    return false;
  });
}

function filesIn(dataDir: string): number[] {
  try {
    return readdirSync(folderOf(dataDir)).map(Number).filter(Number.isSafeInteger);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
