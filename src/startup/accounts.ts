import { createSecretKey, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createProcessingLog, type ProcessingLogOptions } from '../../adapters/processing-log/index.ts';
import { fileSink, type Sink, stderrSink } from '../../adapters/processing-log/sink.ts';
import { type Config, ConfigError } from '../config/index.ts';
import { API_VERSION } from '../http/headers.ts';
import type { Accounts } from '../ports/processing.ts';

/** The processing log, as configured. A place that cannot be written to is found out now and not at the first request. */
export async function openAccounts(
  { processingLog }: Config,
  logger: Logger,
  { sink, mostWaiting }: Partial<Pick<ProcessingLogOptions, 'sink' | 'mostWaiting'>> = {},
): Promise<Accounts> {
  const { to, key, activities } = processingLog;
  return createProcessingLog({
    sink: sink ?? (await sinkOf(to)),
    // Without a key: one that nobody has, so that what a development machine writes down leads back to nobody.
    key: createSecretKey(key ?? randomBytes(32)),
    activities,
    ...(mostWaiting !== undefined && { mostWaiting }),
    version: API_VERSION,
    onTrouble: (trouble) => logger[trouble.state === 'recovered' ? 'warn' : 'error']({ processingLog: trouble }),
  });
}

async function sinkOf(to: Config['processingLog']['to']): Promise<Sink> {
  if (to === 'nowhere') return async () => undefined;
  if (to === 'stderr') return stderrSink();
  return fileSink(to.file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`PROCESSING_LOG: ${to.file} cannot be written to (${error.code})`]);
  });
}
