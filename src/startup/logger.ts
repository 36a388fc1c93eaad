import { type Logger, pino } from 'pino';
import { type Config, ConfigError } from '../config/index.ts';
import type { Development } from './development.ts';
import { createOutput } from './output.ts';

/** Where the log lines go: JSON on standard output, or coloured text for whoever is watching. */
export async function createLogger({ logLevel, logFormat }: Config, development?: Development): Promise<Logger> {
  if (logFormat === 'pretty' && development === undefined)
    throw new ConfigError(['LOG_FORMAT: this build writes json and nothing else']);
  const watched = logFormat === 'pretty' || (logFormat === undefined && process.stdout.isTTY);
  if (watched && development !== undefined) return pino({ level: logLevel, base: null }, await development.pretty());
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const output = createOutput(process.stdout);
  // What is still gathered when the process fails: as much of it as standard output takes without waiting.
  process.once('exit', () => output.flush(() => undefined));
  return pino(options, output);
}
