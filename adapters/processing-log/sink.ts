import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where lines go. Returns when they have been taken over, and throws when they have not. */
export type Sink = (lines: string) => Promise<void>;

/** A file, opened for every batch: whoever rotates it moves it away, and the next batch begins a new one. */
export async function fileSink(path: string): Promise<Sink> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, '', { mode: 0o600 });
  return (lines) => appendFile(path, lines, { mode: 0o600 });
}

/** Standard error, for a platform that gathers it: apart from the requests, which go to standard output. */
export function stderrSink(): Sink {
  // A reader that has gone is told by the write itself; without a listener it would end the process.
  process.stderr.on('error', () => undefined);
  return (lines) =>
    new Promise((resolve, reject) => {
      process.stderr.write(lines, (error) => (error ? reject(error) : resolve()));
    });
}
