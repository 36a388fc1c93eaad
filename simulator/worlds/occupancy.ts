import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who is at work in a folder: a file for each process, by its id. */
const folderOf = (dataDir: string): string => join(dataDir, 'running');

/** Notes that this process works in a folder; the result ends that. `:memory:` is nobody else's. */
export function occupy(dataDir: string): () => void {
  if (dataDir === ':memory:') return () => undefined;
  const file = join(folderOf(dataDir), String(process.pid));
  mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 });
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}

/** The other processes that work in a folder. What a process left that ended without a word is cleared away. */
export function othersIn(dataDir: string): number[] {
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
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
