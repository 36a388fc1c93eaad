import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Config, ConfigError } from '../config/index.ts';
import { describeError } from '../http/middleware/log.ts';
import type { Development } from './development.ts';

/**
 * JSON lines on standard output, or coloured text for a terminal. Throws a `ConfigError` when this build has no
 * coloured text.
 */
export async function createLogger({ logLevel, logFormat }: Config, development?: Development): Promise<Logger> {
  if (logFormat === 'pretty' && development === undefined)
    throw new ConfigError(['LOG_FORMAT: this build writes json and nothing else']);
  const isPretty = logFormat === 'pretty' || (logFormat === undefined && process.stdout.isTTY);
  if (isPretty && development !== undefined) return pino({ level: logLevel, base: null }, await development.pretty());
  return createJsonLogger(logLevel, standardOutput());
}

/**
 * A call with one object, such as that of the request log, is serialised by `JSON.stringify`, and the line is the same
 * as pino's: pino's own serialiser takes 3% of the CPU of a dashboard more.
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

// All services of this process share it.
let shared: LogDestination | undefined;

// The first call adds its listeners to the process.
function standardOutput(): LogDestination {
  if (shared !== undefined) return shared;
  const output = createLogDestination(process.stdout);
  // Writes the lines that are still buffered, as far as standard output accepts them without blocking.
  process.once('exit', () => output.flush(() => undefined));
  shared = output;
  return output;
}

// The text is made at most once per millisecond.
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

// Bytes at which the buffered lines are written together.
const BATCH = 16 * 1024;
// Milliseconds that a line stays in the buffer.
const INTERVAL = 250;
// Bytes of lines that wait to be read. A line that would exceed it is dropped and counted.
const MAX_WAITING = 16 * 1024 * 1024;

export interface LogDestination extends DestinationStream {
  /** Writes the buffered lines, and calls `done` when the stream has accepted them or has failed. */
  flush(done: () => void): void;
}

/**
 * Writes lines in batches. It drops lines instead of waiting, because a pipe without a reader would otherwise stop the
 * process. The number of dropped lines is logged when the stream accepts lines again.
 */
export function createLogDestination(stream: Writable): LogDestination {
  let gathered = '';
  let gatheredLines = 0;
  // Bytes in `gathered`.
  let size = 0;
  let dropped = 0;
  // The last write failed, and may have left a part of a line.
  let isCutOff = false;
  let timer: NodeJS.Timeout | undefined;

  function sendSoon(): void {
    timer ??= setTimeout(send, INTERVAL).unref();
  }

  function send(done?: () => void): void {
    clearTimeout(timer);
    timer = undefined;
    let [batch, lines] = [gathered, gatheredLines];
    if (dropped > 0 && stream.writableLength < MAX_WAITING) {
      batch += `${JSON.stringify({ level: 50, time: new Date().toISOString(), logLinesDropped: dropped })}\n`;
      lines += dropped;
      dropped = 0;
    }
    gathered = '';
    gatheredLines = 0;
    size = 0;
    if (isCutOff && batch !== '') batch = `\n${batch}`;
    // `done` is also called when the write fails: the reader has closed the pipe, or the disk of a file is full.
    if (batch !== '' || done !== undefined)
      stream.write(batch, (error) => {
        if (batch !== '') isCutOff = Boolean(error);
        if (error) dropped += lines;
        done?.();
      });
    // Nothing else may be logged any more, so the number waits for the stream, not for the next line.
    if (dropped > 0) sendSoon();
  }

  stream.on('error', () => undefined);
  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (stream.writableLength + size + bytes > MAX_WAITING) {
        dropped += 1;
        sendSoon();
        return;
      }
      gathered += line;
      gatheredLines += 1;
      size += bytes;
      if (size >= BATCH) send();
      else sendSoon();
    },
    flush: (done) => send(done),
  };
}

/**
 * Node prints warnings to standard error by default. That can be the processing log, in which each line is JSON. The
 * text of a warning is left out, because it can quote a request.
 */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning').on('warning', (warning) => logger.warn({ warning: describeError(warning) }));
}
