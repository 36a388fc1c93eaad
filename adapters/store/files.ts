// Files with access only for the user of this process. Importing this loads no database engine.
import { closeSync, existsSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file is in the folder `DATA_DIR`. */
export const SQLITE_FILE = 'zorgregister.sqlite';

/**
 * Makes a folder and those above it; throws the error of the file system. Node's own recursive `mkdirSync` never ends
 * where a file system refuses a folder with ENOENT, as /proc does.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may just have made it.
    if (!existsSync(folder)) throw error;
  }
}

// A file that is no database (sqlite.org/rescode.html).
const NOT_A_DATABASE = 26;

/** An error as `node:sqlite` throws it, for a fault that SQLite does not find. */
export const sqliteError = (message: string, errcode: number): Error =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });

/**
 * Creates the file when there is none. Returns the properties of one that was there, else undefined. Throws for a pipe,
 * a socket and a device: to open a pipe can wait without end.
 */
export function createSqliteFile(file: string): Stats | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(file, 'a', 0o600));
  else if (!found.isFile() && !found.isDirectory()) throw sqliteError('it is not a file', NOT_A_DATABASE);
  return found;
}
