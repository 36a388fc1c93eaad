import { ConfigError } from '../config/index.ts';

/** A start that failed for a known reason. The message is one sentence that says what the operator can do. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** Returns the text to print when the start fails: what to do for a known reason, the stack for an unexpected error. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_SQLITE_ERROR')
    return `DATA_DIR: a SQLite file in it cannot be used (${error.message}). Put a backup in its place, or move it away to begin with nothing.`;
  return error.stack ?? error.message;
}
