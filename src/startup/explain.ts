import { ConfigError } from '../config/index.ts';

/** A start that failed for a reason that is known; its message is one sentence that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** What a person can do about a start that failed, in one line each. What nobody foresaw comes with its stack. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_SQLITE_ERROR')
    return `DATA_DIR: a SQLite file in it cannot be used (${error.message}). Put a backup in its place, or move it away to begin with nothing.`;
  return error.stack ?? error.message;
}
