import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { freeBuffers } from '../http/operation/koa.ts';
import { Problem } from '../problem.ts';
import { CHUNK_SIZE, inMemory, type Spool, TooLarge } from './spool.ts';

// A larger file is written to a temporary file.
const IN_MEMORY = 64 * 1024;

// Bytes that wait while others are written, and bytes that are read at once: several chunks, because each write and
// each read goes to another thread.
const WRITE_AHEAD = 256 * 1024;
const READ_AHEAD = 4 * CHUNK_SIZE;

/** Returns the number of bytes that were written, which can be less than all. */
export type WriteChunks = (handle: FileHandle, chunks: readonly Uint8Array[]) => Promise<number>;

const writeSome: WriteChunks = async (handle, chunks) => (await handle.writev(chunks)).bytesWritten;

/**
 * Reads a stream to its end into memory or a temporary file. Throws `TooLarge` above `cap` bytes, 503 `overbelast` when
 * the disk is full or fails, and the error of the stream. After an error no temporary file is left.
 */
export async function spool(source: Readable, cap: number, write = writeSome): Promise<Spool> {
  const hash = createHash('sha256');
  // One buffer, not a list of chunks: when a client sends one byte at a time, a list takes a hundred times as much
  // memory.
  const memory = Buffer.allocUnsafe(IN_MEMORY);
  let size = 0;
  let handle: FileHandle | undefined;
  let writing = Promise.resolve();

  async function append(chunks: readonly Uint8Array[]): Promise<void> {
    const start = memory.subarray(0, size);
    for (const chunk of chunks) {
      if (size + chunk.length > cap) throw new TooLarge();
      hash.update(chunk);
      freeBuffers(chunk.length);
      if (size + chunk.length <= IN_MEMORY) memory.set(chunk, size);
      size += chunk.length;
    }
    if (size > IN_MEMORY) await toDisk(start, chunks).catch(noRoom);
  }
  async function toDisk(start: Uint8Array, chunks: readonly Uint8Array[]): Promise<void> {
    const unwritten = handle === undefined ? [start, ...chunks] : chunks;
    handle ??= await temporaryFile();
    await writeAll(handle, unwritten, write);
  }
  function appendThen(chunks: readonly Uint8Array[], done: (error?: Error) => void): void {
    writing = append(chunks);
    writing.then(() => done(), done);
  }

  try {
    await pipeline(
      source,
      new Writable({
        highWaterMark: WRITE_AHEAD,
        write: (chunk: Buffer, _, done) => appendThen([chunk], done),
        writev: (waiting, done) =>
          appendThen(
            waiting.map(({ chunk }) => chunk),
            done,
          ),
      }),
    );
  } catch (error) {
    await Promise.allSettled([writing]);
    await handle?.close();
    throw error;
  }
  const sha256 = hash.digest('hex');
  return handle === undefined ? inMemory(memory.subarray(0, size), sha256) : onDisk(handle, size, sha256);
}

const OURS = /^zorgregister-upload-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

// Without a name, the data is gone when the file is closed, also when this process is killed.
async function temporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `zorgregister-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    // Another process may have removed it as left behind.
    if (error.code !== 'ENOENT') throw error;
  });
  return handle;
}

/** Rejects with the error of the file system when no temporary file can be made. */
export async function tryTemporaryFile(): Promise<void> {
  await (await temporaryFile()).close();
}

/**
 * Deletes the temporary files that killed processes left behind. Another process that still has one open can still read
 * it.
 */
export async function removeLeftBehind(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  // A file that this user may not remove stays.
  await Promise.allSettled(names.filter((name) => OURS.test(name)).map((name) => unlink(join(tmpdir(), name))));
}

function noRoom(cause: NodeJS.ErrnoException): never {
  throw new Problem('overbelast', 'Er is nu geen ruimte om het bestand te ontvangen. Probeer het later opnieuw.', {
    headers: { 'Retry-After': '30' },
    reason: `no room for a temporary file: ${cause.code ?? 'unknown'}`,
    cause,
  });
}

// When a disk is nearly full, one call may write only a part.
async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], write: WriteChunks): Promise<void> {
  let left = chunks.reduce((sum, { length }) => sum + length, 0);
  for (let rest = chunks; left > 0; ) {
    const written = await write(handle, rest);
    if (written === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    left -= written;
    if (left > 0) rest = [Buffer.concat(rest).subarray(written)];
  }
}

function onDisk(handle: FileHandle, size: number, sha256: string): Spool {
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
