import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';

/** Number of buffered bytes at which the buffered log lines are written together. */
const BATCH = 16 * 1024;
/** The maximum number of milliseconds for which a log line stays in the buffer. */
const INTERVAL = 250;
/** Maximum size in bytes of the log lines that wait to be read. A line that would exceed it is dropped and counted. */
const MAX_WAITING = 16 * 1024 * 1024;

/** A log destination for pino that can wait until its lines have been written. */
export interface LogDestination extends DestinationStream {
  /** Writes the buffered lines, and calls `done` when the stream has accepted them or has failed. */
  flush(done: () => void): void;
}

/**
 * Returns a log destination that writes lines to a stream in batches. It drops lines instead of waiting, because a pipe
 * without a reader would otherwise stop the process. The number of dropped lines is logged when the stream accepts
 * lines again.
 */
export function createLogDestination(stream: Writable): LogDestination {
  let gathered = '';
  let gatheredLines = 0;
  /** Number of bytes in `gathered`. */
  let size = 0;
  let dropped = 0;
  /** True when the last write failed, and may have left a part of a line. */
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
