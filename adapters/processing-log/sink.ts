import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A function that writes lines. It resolves when they are written, and rejects when they are not. */
export type Sink = (lines: string) => Promise<void>;

/**
 * Returns a sink that appends to a file, and creates the file. It opens the file for every batch, so that it continues
 * in a new file after log rotation.
 */
export async function fileSink(path: string): Promise<Sink> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, '', { mode: 0o600 });
  return (lines) => appendFile(path, lines, { mode: 0o600 });
}

/**
 * Returns a sink that writes to standard error, for a platform that collects it. The request log goes to standard
 * output.
 */
export function stderrSink(): Sink {
  // A failed write is reported by its callback. Without a listener the `error` event would end the process.
  process.stderr.on('error', () => undefined);
  return (lines) =>
    new Promise((resolve, reject) => {
      process.stderr.write(lines, (error) => (error ? reject(error) : resolve()));
    });
}
