import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { CHUNK_LIMITS, FORM, HARD_CAP, hasTooManyChunks, OVERHEAD, PACE, TIME } from '../domain/upload-limits.ts';
import { freeBuffers } from '../http/operation/koa.ts';
import { TOO_BUSY } from '../http/problems.ts';
import { ClientDisconnected } from '../ports/call.ts';
import { Deadline, runningTime } from '../ports/deadline.ts';
import { Problem } from '../problem.ts';
import { type FormField, isComplete, MULTIPART_PROBLEMS, type ReadUpload, type ReceivedUpload } from './form.ts';
import { CHUNK_SIZE, inMemory, type Spool, TooLarge } from './spool.ts';

/** A file of at most 64 KiB is kept in memory, a larger one in a temporary file. */
export const readUpload: ReadUpload = ({ req }, { boundary, begin, reserve, onPart }) => {
  if (!(req instanceof IncomingMessage)) throw new Error('an upload that did not come over a socket');
  const request: IncomingMessage = req;
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    // One more than the limit: busboy reports a field of exactly `fieldSize` as truncated.
    limits: { files: FORM.files, fields: FORM.fields, fieldSize: FORM.fieldBytes + 1, parts: FORM.parts },
  });
  const fields: FormField[] = [];
  let received: Promise<ReceivedUpload> | undefined;
  let began: Promise<number> | undefined;

  async function take(stream: Readable, name: string): Promise<ReceivedUpload> {
    if (isComplete(fields)) began = begin(fields);
    return { name, file: await spool(stream, (await began) ?? HARD_CAP) };
  }

  return new Promise((resolve, reject) => {
    let isSettled = false;
    const endWatch = watchUpload(request, { reserve, isBusy: () => parser.writableNeedDrain, fail });

    function settle(): boolean {
      if (isSettled) return false;
      isSettled = true;
      endWatch();
      return true;
    }
    function fail(error: unknown): void {
      if (!settle()) return;
      request.unpipe(parser);
      parser.destroy();
      received?.then(({ file }) => file.close()).catch(() => undefined);
      // The caller releases the claim that `begin` made, so wait until that has finished.
      Promise.allSettled([began]).then(() => reject(error));
    }
    async function finish(): Promise<void> {
      if (received === undefined) throw MULTIPART_PROBLEMS.noFile();
      const upload = await received;
      // It has failed in the meantime, and `fail` closes the file: nothing may be claimed any more.
      if (isSettled) return;
      began ??= begin(fields);
      await began;
      if (settle()) resolve(upload);
    }

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') fail(MULTIPART_PROBLEMS.fileWithoutName());
      else if (began !== undefined) fail(MULTIPART_PROBLEMS.fieldTooLate(name ?? ''));
      fields.push({ name: name ?? '', value, isCut: valueTruncated });
      onPart?.(fields, null);
    });
    parser.on('file', (name, stream, { filename }) => {
      // The reader of the stream gets the error; without this listener, an error on an unread stream ends the process.
      stream.on('error', () => undefined);
      if (name !== 'file') return fail(MULTIPART_PROBLEMS.otherName());
      // A browser sends this when the user chose no file.
      if (filename === undefined) return fail(MULTIPART_PROBLEMS.nothingChosen());
      onPart?.(fields, filename);
      received = take(stream, filename);
      received.catch(fail);
    });
    parser.on('filesLimit', () => fail(MULTIPART_PROBLEMS.tooManyFiles()));
    parser.on('fieldsLimit', () => fail(MULTIPART_PROBLEMS.tooManyFields()));
    parser.on('partsLimit', () => fail(MULTIPART_PROBLEMS.tooManyParts()));
    parser.on('error', (cause) => fail(MULTIPART_PROBLEMS.unreadable(cause)));
    parser.on('finish', () => void finish().catch(fail));
    request.pipe(parser);
  });
};

interface UploadWatch {
  reserve(bytes: number): void;
  // The reader has to finish earlier chunks first; it then resumes the request itself.
  isBusy(): boolean;
  fail(error: unknown): void;
}

// Limits of time and size (uploads.md, "Limits"): calls `fail` when the client is too slow, sends too many bytes or
// small chunks, or disconnects; with 503 when the service has not read the body in time; and with the error of
// `reserve`.
function watchUpload(request: IncomingMessage, { reserve, isBusy, fail }: UploadWatch): () => void {
  let total = 0;
  let chunks = 0;
  let isEnded = false;
  const tooSlow = () => new Problem('verzoek-te-traag', 'Het bestand kwam te langzaam binnen.');
  // A client that has sent everything waits for the service.
  const whole = new Deadline(TIME.request, () => fail(request.complete ? TOO_BUSY : tooSlow()));
  const pace = createPace(runningTime());
  const paceCheck = setInterval(() => {
    if (!request.complete && pace.isTooSlow(runningTime())) fail(tooSlow());
  }, 1_000);

  function count(chunk: Buffer): void {
    pace.received(chunk.length, runningTime());
    total += chunk.length;
    chunks += 1;
    if (chunks % CHUNK_LIMITS.batch === 0) yieldToOthers();
    try {
      if (hasTooManyChunks(chunks, total))
        throw new ClientDisconnected('the client sent its file a few bytes at a time');
      if (total > HARD_CAP + OVERHEAD) throw new TooLarge();
      reserve(chunk.length);
    } catch (error) {
      fail(error);
    }
  }
  // Without the pause, Node would read megabytes first and emit an event for each small chunk.
  function yieldToOthers(): void {
    request.pause();
    setImmediate(() => {
      if (!isEnded && !isBusy()) request.resume();
    });
  }
  // The request is paused while the disk or the store is slow; the client cannot send then.
  const pause = () => pace.pause(runningTime());
  const resume = () => pace.resume(runningTime());
  function disconnected(): void {
    // What has arrived and was not read yet is lost, also when it is the end of the body.
    if (!request.readableEnded) fail(new ClientDisconnected('the client left while it was uploading'));
  }

  request.on('data', count).on('pause', pause).on('resume', resume);
  request.once('close', disconnected).once('error', disconnected);
  return () => {
    isEnded = true;
    whole.cancel();
    clearInterval(paceCheck);
    request.off('data', count).off('pause', pause).off('resume', resume).off('close', disconnected);
  };
}

/**
 * Meters the rate of a request (see `PACE`): a deadline that received bytes move by the time that they take at the
 * minimum rate, but never further than `PACE.window` from now. It does not measure between `pause` and `resume`. Times
 * are in milliseconds, from the same clock.
 */
export function createPace(start: number) {
  let deadline = start + PACE.grace;
  let pausedAt: number | null = null;
  return {
    received(bytes: number, now: number): void {
      const later = deadline + (bytes / PACE.bytesPerSecond) * 1_000;
      deadline = Math.min(later, Math.max(deadline, now + PACE.window));
    },
    pause(now: number): void {
      pausedAt ??= now;
    },
    resume(now: number): void {
      if (pausedAt !== null) deadline += now - pausedAt;
      pausedAt = null;
    },
    isTooSlow: (now: number): boolean => pausedAt === null && now >= deadline,
  };
}

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
    async *bytes() {
      // One buffer for all chunks: a new one for each would give the garbage collector too much work with many uploads.
      const ahead = Buffer.allocUnsafe(Math.min(READ_AHEAD, size));
      for (let at = 0; at < size; at += READ_AHEAD) {
        const part = ahead.subarray(0, Math.min(READ_AHEAD, size - at));
        await fill(part, at);
        for (let done = 0; done < part.length; done += CHUNK_SIZE) yield part.subarray(done, done + CHUNK_SIZE);
      }
    },
    close: () => handle.close(),
  };
}
