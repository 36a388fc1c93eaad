import { ConfigError } from '../config.ts';
import { START } from '../how-to-run.ts';

/** SQLite's result code for a file of another kind. */
const NOT_A_DATABASE = 26;

/** What a person can do about a start that failed, in one line each. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, port, path, syscall, errcode } = error as NodeJS.ErrnoException & {
    port?: number;
    errcode?: number;
  };
  if (code === 'ERR_SQLITE_ERROR' && errcode === NOT_A_DATABASE) {
    return `DATA_DIR holds a file that is no SQLite database. Move it away, or choose another folder: DATA_DIR=.data2 ${START}`;
  }
  if (syscall === 'mkdir' || code === 'ERR_SQLITE_ERROR') {
    return `DATA_DIR cannot be used${path ? `: ${path}` : ''} (${error.message}). Choose a folder that can be written, or keep nothing: DATA_DIR=:memory: ${START}`;
  }
  if (syscall === 'connect' || syscall === 'getaddrinfo' || /^(28|3D|57|53)/.test(code ?? '')) {
    return `DATABASE_URL: PostgreSQL cannot be reached or does not let us in (${code}). Leave it out to keep everything in DATA_DIR.`;
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop what uses it, or choose another: PORT=${(port ?? 3000) + 1} ${START}`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose one above 1023: PORT=3000 ${START}`;
  return error.stack ?? error.message;
}
