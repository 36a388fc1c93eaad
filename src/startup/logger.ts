import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/** Where the log lines go: JSON on standard output, or coloured text for whoever is watching. */
export async function createLogger({ logLevel, logFormat }: Config): Promise<Logger> {
  const pretty = logFormat === 'pretty' || (logFormat === undefined && process.stdout.isTTY);
  if (!pretty) {
    const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
    // Gathered for a moment, so that a busy second costs a few system calls and not thousands; the rest goes out at exit.
    const destination = pino.destination({ sync: false, minLength: 4_096, periodicFlush: 250 });
    process.once('exit', () => destination.flushSync());
    return pino(options, destination);
  }
  const { default: prettyStream } = await import('pino-pretty');
  return pino({ level: logLevel, base: null }, prettyStream({ singleLine: true, translateTime: 'SYS:HH:MM:ss' }));
}
