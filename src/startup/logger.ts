import { type DestinationStream, type Logger, pino } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import type { Development } from './development.ts';

/** Where the log lines go: JSON on standard output, or coloured text for whoever is watching. */
export async function createLogger({ logLevel, logFormat }: Config, development?: Development): Promise<Logger> {
  if (logFormat === 'pretty' && development === undefined)
    throw new ConfigError(['LOG_FORMAT: this build writes json and nothing else']);
  const watched = logFormat === 'pretty' || (logFormat === undefined && process.stdout.isTTY);
  if (watched && development !== undefined) return pino({ level: logLevel, base: null }, await development.pretty());
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, gathered());
}

/** Gathered for a moment, so that a busy second costs a few system calls and not thousands; the rest goes out at exit. */
function gathered(): DestinationStream {
  const destination = pino.destination({ sync: false, minLength: 4_096, periodicFlush: 250 });
  process.once('exit', () => destination.flushSync());
  return destination;
}
