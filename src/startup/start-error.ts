import { ConfigError } from '../config/index.ts';

/** The error of a start or command that failed for a known reason. Its message says what the operator can do. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/**
 * Returns the text to print after a start that failed: advice for the operator when the reason is known, else usually
 * the stack of the error.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_SQLITE_ERROR')
    return `DATA_DIR: a SQLite file in it cannot be used (${error.message}). Put a backup in its place, or move it away to begin with nothing.`;
  return error.stack ?? error.message;
}
