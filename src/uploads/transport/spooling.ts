import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../problem.ts';
import { CHUNK_SIZE, inMemory, type Spool, TooLarge } from './spool.ts';

/** The size in bytes up to which a file stays in memory. A larger file is written to a temporary file. */
const IN_MEMORY = 64 * 1024;

/**
 * Number of bytes that are read from a temporary file at once: several chunks, because each read goes to another
 * thread.
 */
const READ_AHEAD = 4 * CHUNK_SIZE;

/**
 * A function that writes `bytes` from offset `from` to a file. It returns the number of bytes that were written, which
 * can be less than all.
 */
export type WriteBytes = (handle: FileHandle, bytes: Uint8Array, from: number) => Promise<number>;

const writeSome: WriteBytes = async (handle, bytes, from) => (await handle.write(bytes, from)).bytesWritten;

/**
 * Reads a stream to its end into memory or a temporary file, and returns the received file. Throws `TooLarge` when more
 * than `cap` bytes arrive, 503 `overbelast` when the disk is full or fails, and the error of the stream. After an error
 * no temporary file is left.
 */
export async function spool(source: AsyncIterable<Buffer>, cap: number, write = writeSome): Promise<Spool> {
  const hash = createHash('sha256');
  // One buffer, not a list of chunks: when a client sends one byte at a time, a list takes a hundred times as much
  // memory.
  const memory = Buffer.allocUnsafe(IN_MEMORY);
  let used = 0;
  let size = 0;
  let handle: FileHandle | undefined;
  async function flush(): Promise<void> {
    const filled = memory.subarray(0, used);
    hash.update(filled);
    handle ??= await temporaryFile();
    await writeAll(handle, filled, write);
    used = 0;
  }
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > cap) throw new TooLarge();
      for (let taken = 0; taken < chunk.length; ) {
        if (used === memory.length) await stored(flush());
        const copied = chunk.copy(memory, used, taken);
        taken += copied;
        used += copied;
      }
    }
    if (handle !== undefined) await stored(flush());
  } catch (error) {
    await handle?.close();
    throw error;
  }
  if (handle !== undefined) return onDisk(handle, size, hash.digest('hex'));
  const content = memory.subarray(0, used);
  return inMemory(content, hash.update(content).digest('hex'));
}

const PREFIX = 'zorgregister-upload-';
const OURS = /^zorgregister-upload-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Opens a temporary file and removes its name at once, so that the operating system deletes the file when this process
 * ends.
 */
async function temporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `${PREFIX}${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path).catch(ifGone);
  return handle;
}

/**
 * Deletes the temporary files of uploads that killed processes left behind. Another process that still has such a file
 * open can still read it.
 */
export async function removeLeftBehind(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  // A file that this user may not remove stays.
  await Promise.allSettled(names.filter((name) => OURS.test(name)).map((name) => unlink(join(tmpdir(), name))));
}

function ifGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/**
 * Waits for `work` and returns its result. When `work` fails, for example because the disk is full, throws 503
 * `overbelast`.
 */
async function stored<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new Problem('overbelast', 'Er is nu geen ruimte om het bestand te ontvangen. Probeer het later opnieuw.', {
      headers: { 'Retry-After': '30' },
      reason: `no room for a temporary file: ${code}`,
      cause,
    });
  }
}

/**
 * Writes all bytes, in several calls if needed: when a disk is nearly full, one call may write only a part. Throws when
 * a call writes nothing.
 */
async function writeAll(handle: FileHandle, chunk: Uint8Array, write: WriteBytes): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const written = await write(handle, chunk, done);
    if (written === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    done += written;
  }
}

function onDisk(handle: FileHandle, size: number, sha256: string): Spool {
  /**
   * Fills `piece` with the file's bytes from offset `from`. Throws when the file has become shorter since it was
   * written.
   */
  async function fill(piece: Uint8Array, from: number): Promise<void> {
    for (let done = 0; done < piece.length; ) {
      const { bytesRead } = await handle.read(piece, done, piece.length - done, from + done);
      if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it');
      done += bytesRead;
    }
  }
  return {
    size,
    sha256,
    async read(from, to) {
      const piece = Buffer.allocUnsafe(Math.max(0, Math.min(to, size) - from));
      await fill(piece, from);
      return piece;
    },
    async *bytes(from = 0, to = size) {
      // One buffer for all chunks: a new one for each would give the garbage collector too much work with many uploads.
      const ahead = Buffer.allocUnsafe(Math.min(READ_AHEAD, Math.max(0, size - from)));
      const end = Math.min(to, size);
      for (let at = from; at < end; at += READ_AHEAD) {
        const part = ahead.subarray(0, Math.min(READ_AHEAD, end - at));
        await fill(part, at);
        for (let done = 0; done < part.length; done += CHUNK_SIZE) yield part.subarray(done, done + CHUNK_SIZE);
      }
    },
    close: () => handle.close(),
  };
}
