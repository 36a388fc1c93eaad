import { type DestinationStream, type Logger, pino } from 'pino';
import { type Config, ConfigError } from '../../config/index.ts';
import type { Development } from '../development.ts';
import { createLogDestination, type LogDestination } from './log-destination.ts';

/**
 * Returns the logger: JSON lines on standard output, or coloured text for a terminal. Throws a `ConfigError` when the
 * configuration asks for coloured text and this build has none.
 */
export async function createLogger({ logLevel, logFormat }: Config, development?: Development): Promise<Logger> {
  if (logFormat === 'pretty' && development === undefined)
    throw new ConfigError(['LOG_FORMAT: this build writes json and nothing else']);
  const isPretty = logFormat === 'pretty' || (logFormat === undefined && process.stdout.isTTY);
  if (isPretty && development !== undefined) return pino({ level: logLevel, base: null }, await development.pretty());
  return createJsonLogger(logLevel, standardOutput());
}

/**
 * Returns a logger that writes JSON lines. A call with one object, such as that of the request log, is serialised by
 * `JSON.stringify`, and the line is the same as pino's: pino's own serialiser takes 3% of the CPU of a dashboard more.
 */
export function createJsonLogger(level: string, output: DestinationStream): Logger {
  const timestamp = createTimestamp();
  return pino(
    {
      level,
      base: null,
      timestamp,
      hooks: {
        logMethod(args, method, number) {
          const text = args.length === 1 && isPlain(args[0]) ? JSON.stringify(args[0]) : '{}';
          if (text === '{}') method.apply(this, args);
          else output.write(`{"level":${number}${timestamp()},${text.slice(1)}\n`);
        },
      },
    },
    output,
  );
}

const isPlain = (line: unknown): boolean =>
  typeof line === 'object' && line !== null && Object.getPrototypeOf(line) === Object.prototype;

/** The log destination that all services of this process share; undefined before the first one logs. */
let shared: LogDestination | undefined;

/** Returns the log destination for standard output. The first call adds its listeners to the process. */
function standardOutput(): LogDestination {
  if (shared !== undefined) return shared;
  const output = createLogDestination(process.stdout);
  // Writes the lines that are still buffered, as far as standard output accepts them without blocking.
  process.once('exit', () => output.flush(() => undefined));
  shared = output;
  return output;
}

/**
 * Returns a function that returns the time member that pino adds to a log line. Its text is made at most once per
 * millisecond.
 */
function createTimestamp(): () => string {
  let [last, text] = [0, ''];
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
