import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Copies the SQLite database in a folder to a new file, while the service runs. The copy has the data of one moment,
 * needs no `-wal` and `-shm` files, and can be read by its owner only. Throws when the target exists, or when a check
 * finds that the copy is damaged.
 */
export function backupSqlite(folder: string, target: string): void {
  if (existsSync(target)) throw Object.assign(new Error('the file exists'), { code: 'EEXIST', path: target });
  const source = new DatabaseSync(join(folder, 'zorgregister.sqlite'), { readOnly: true, timeout: 5_000 });
  try {
    source.prepare('vacuum into ?').run(target);
  } finally {
    source.close();
  }
  chmodSync(target, 0o600);
  const copy = new DatabaseSync(target, { readOnly: true });
  try {
    const verdict = copy.prepare('pragma integrity_check').get()?.integrity_check;
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${String(verdict)}`);
  } finally {
    copy.close();
  }
}
