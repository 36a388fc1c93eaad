import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';

/** Characters that are written at once, and milliseconds that fewer may wait: a busy second costs a few system calls, not thousands. */
const BATCH = 4_096;
const INTERVAL = 250;
/** Bytes that wait while nothing reads the stream; a line that would not fit is dropped and counted. */
const MOST_WAITING = 16 * 1024 * 1024;

export interface Output extends DestinationStream {
  /** Calls back when the stream has taken every line so far. pino's `logger.flush` comes here. */
  flush(done: () => void): void;
}

/**
 * Log lines on a stream, gathered in batches. Never blocks: a pipe that nobody reads would otherwise hold up the whole process,
 * or its end. After lines were dropped one line tells how many.
 */
export function createOutput(stream: Writable): Output {
  let gathered = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  function send(done: () => void = () => undefined): void {
    clearTimeout(timer);
    timer = undefined;
    if (dropped > 0 && stream.writableLength < MOST_WAITING) {
      gathered += `${JSON.stringify({ level: 50, time: new Date().toISOString(), logLinesDropped: dropped })}\n`;
      dropped = 0;
    }
    const batch = gathered;
    gathered = '';
    // The error, when the reader has gone, is told to `done` as well.
    stream.write(batch, () => done());
  }

  stream.on('error', () => undefined);
  return {
    write(line) {
      if (stream.writableLength + gathered.length + line.length > MOST_WAITING) {
        dropped += 1;
        return;
      }
      gathered += line;
      if (gathered.length >= BATCH) send();
      else timer ??= setTimeout(send, INTERVAL).unref();
    },
    flush: (done) => send(done),
  };
}
