import { createSecretKey, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import {
  createProcessingLog,
  fileSink,
  type MeasuredProcessingLog,
  NotAFile,
  type ProcessingLogOptions,
  type Sink,
  stderrSink,
} from '../../../adapters/processing-log/index.ts';
import { type Config, ConfigError } from '../../config/index.ts';
import { API_VERSION } from '../../http/middleware/headers.ts';

/**
 * Opens the processing log (which personal data were processed) with the audit trail (who did what). Their failures and
 * recoveries are logged. Throws a `ConfigError` when their file cannot be written.
 *
 * @param options - options that are not in the configuration, for tests
 */
export async function openProcessingLog(
  { processingLog, identity }: Config,
  logger: Logger,
  options: Partial<Pick<ProcessingLogOptions, 'sink' | 'maxWaiting'>> = {},
): Promise<MeasuredProcessingLog> {
  const { to, key, activities } = processingLog;
  const { sink, maxWaiting } = options;
  return createProcessingLog({
    sink: sink ?? (await sinkOf(to)),
    // Without a configured key a random one is used, so that the pseudonyms cannot be traced back to a person.
    key: createSecretKey(key ?? randomBytes(32)),
    subjectKey: identity.kind === 'oidc' ? identity.subjectKeys[0] : undefined,
    activities,
    ...(maxWaiting !== undefined && { maxWaiting }),
    version: API_VERSION,
    onStateChange: (change) => logger[change.state === 'recovered' ? 'warn' : 'error']({ processingLog: change }),
  });
}

async function sinkOf(to: Config['processingLog']['to']): Promise<Sink> {
  if (to === 'nowhere') return async () => undefined;
  if (to === 'stderr') return stderrSink();
  return fileSink(to.file).catch((error: NodeJS.ErrnoException) => {
    const why =
      error instanceof NotAFile
        ? 'is a pipe or a socket, not a file; choose a file, or "stderr"'
        : `cannot be written to (${error.code})`;
    throw new ConfigError([`PROCESSING_LOG: ${to.file} ${why}`]);
  });
}
