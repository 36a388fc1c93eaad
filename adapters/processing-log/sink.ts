import { constants, fstatSync, write } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../store/files.ts';

/** A function that writes lines. It resolves when they are written, and rejects when they are not. */
export type Sink = (lines: string) => Promise<void>;

/**
 * The error for a path that is a pipe or a socket. A write to it can wait for its reader without end, and a part of the
 * lines would be written twice after a failure.
 */
export class NotAFile extends Error {}

/** Flags to append to a file, which is created when needed. To open a pipe without a reader fails instead of waiting. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** Milliseconds after its last use for which a file stays open. */
const IDLE_TIMEOUT = 1_000;

/**
 * Returns a sink that appends lines to a file, which is created when it does not exist. After log rotation it continues
 * in a new file at the path. The file is closed when it is not used for a second. Rejects with the error of the system
 * when the file cannot be opened, and with `NotAFile` for a pipe or a socket.
 */
export async function fileSink(path: string): Promise<Sink> {
  makeFolder(dirname(path));
  await (await openToAppend(path)).close();
  let current: { readonly file: FileHandle; readonly dev: number; readonly ino: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function close(): Promise<void> {
    const file = current?.file;
    current = undefined;
    await file?.close();
  }

  /** Returns the file at the path: the open file, or a new one when the open file is no longer at the path. */
  async function fileAtPath(): Promise<FileHandle> {
    if (current !== undefined) {
      const found = await stat(path).catch(() => undefined);
      if (found?.ino === current.ino && found.dev === current.dev) return current.file;
      await close();
    }
    const file = await openToAppend(path);
    const { dev, ino, size } = await file.stat().catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    current = { file, dev, ino };
    if (size > 0 && !(await endsLine(path, size))) await file.appendFile('\n');
    return file;
  }

  return async (lines) => {
    clearTimeout(timer);
    try {
      await (await fileAtPath()).appendFile(lines);
    } catch (error) {
      // The next attempt opens it again: a disk may have been replaced.
      await close().catch(() => undefined);
      throw error;
    } finally {
      timer = setTimeout(() => void close().catch(() => undefined), IDLE_TIMEOUT).unref();
    }
  };
}

async function openToAppend(path: string): Promise<FileHandle> {
  const file = await open(path, APPEND, 0o600).catch((error: NodeJS.ErrnoException) => {
    // A socket, or a pipe without a reader.
    throw error.code === 'ENXIO' ? new NotAFile() : error;
  });
  const found = await file.stat();
  if (!found.isFIFO()) return file;
  await file.close();
  throw new NotAFile();
}

/** Returns true when the last byte of a file of `size` bytes is a line feed, or when the file may not be read. */
async function endsLine(path: string, size: number): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return true;
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}

/** Returns a sink that writes to standard error. (The request log goes to standard output.) */
export function stderrSink(): Sink {
  const { fd } = process.stderr;
  // A full disk can take only the first bytes of a write. Node's stream reports that as success.
  if (isFile(fd)) return (lines) => writeAll(fd, Buffer.from(lines));
  // A failed write is reported by its callback. Without a listener the `error` event would end the process. One
  // listener is enough for all services of a process.
  process.stderr.off('error', ignored).on('error', ignored);
  return (lines) =>
    new Promise((resolve, reject) => {
      process.stderr.write(lines, (error) => (error ? reject(error) : resolve()));
    });
}

const ignored = (): void => undefined;

/** Returns true when a file descriptor is of a regular file; false when it is closed, or of something else. */
function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

const writeOnce = promisify(write);

/** Writes all bytes to a file descriptor. Rejects when there is no room for all of them. */
async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let rest = bytes; rest.length > 0; ) {
    const { bytesWritten } = await writeOnce(fd, rest);
    rest = rest.subarray(bytesWritten);
  }
}
