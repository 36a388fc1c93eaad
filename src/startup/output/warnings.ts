import type { Logger } from 'pino';
import { describeError } from '../../http/middleware/log.ts';

/**
 * Logs the warnings of Node, which Node prints to standard error by default. That can be the processing log, in which
 * each line is JSON. The text of a warning is left out, because it can quote a request.
 */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning').on('warning', (warning) => logger.warn({ warning: describeError(warning) }));
}
