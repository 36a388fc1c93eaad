import { ConfigError } from '../config/index.ts';

/** A start or command failed for a known reason. The message says what the operator can do. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** Advice for the operator when the reason is known, else usually the stack of the error. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_SQLITE_ERROR')
    return `DATA_DIR: a SQLite file in it cannot be used (${error.message}). Put a backup in its place, or move it away to begin with nothing.`;
  return error.stack ?? error.message;
}

// As a package (with `npx`, or in `node_modules`), and not a clone of the repository.
const isInstalled = import.meta.url.includes('/node_modules/');
// In what `npm run build` makes: a bundle, in which this file has no path of its own.
const isBuilt = !import.meta.url.includes('/startup/start-error.');

/** The command that starts the service, for messages. */
export const START = isBuilt ? 'node start.js' : isInstalled ? 'npx --no-install zorgregister-bff' : 'npm start';

/** The beginning of a command of the service, for messages, such as `npm start --` in `npm start -- backup <file>`. */
export const RUN = START === 'npm start' ? 'npm start --' : START;

/** The beginning of a command to the simulator, for messages, such as `npm run sim --` in `npm run sim -- reset`. */
export const SIM = isInstalled ? 'npx --no-install zorgregister-bff sim' : 'npm run sim --';
