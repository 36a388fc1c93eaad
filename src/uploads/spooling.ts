import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIB } from './limits.ts';
import { inMemory, PIECE, type Spool, TooLarge } from './spool.ts';

/** Up to here a file stays in memory. */
const IN_MEMORY = MIB;
/** Reads a file to its end, at most `cap` bytes of it. Throws `TooLarge`, or whatever the source throws; then nothing is left. */
export async function spool(source: AsyncIterable<Buffer>, cap: number): Promise<Spool> {
  const hash = createHash('sha256');
  const small: Buffer[] = [];
  let large: FileHandle | undefined;
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > cap) throw new TooLarge();
      hash.update(chunk);
      if (large === undefined && size > IN_MEMORY) {
        large = await temporaryFile();
        await large.write(Buffer.concat(small.splice(0)));
      }
      if (large === undefined) small.push(chunk);
      else await writeAll(large, chunk);
    }
  } catch (error) {
    await large?.close();
    throw error;
  }
  const sha256 = hash.digest('hex');
  return large === undefined ? inMemory(Buffer.concat(small), sha256) : onDisk(large, size, sha256);
}

/** A file without a name, so that nothing is left of it whatever happens to this process. */
async function temporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await handle.write(chunk, done)).bytesWritten;
}

function onDisk(handle: FileHandle, size: number, sha256: string): Spool {
  async function read(from: number, to: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(to, size) - from);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, from);
    return buffer.subarray(0, bytesRead);
  }
  return {
    size,
    sha256,
    read,
    async *bytes(from = 0, to = size) {
      // One piece of memory for all of them: a hundred files at once would otherwise be garbage before they are anything else.
      const piece = Buffer.allocUnsafe(PIECE);
      for (let at = from; at < Math.min(to, size); ) {
        const { bytesRead } = await handle.read(piece, 0, Math.min(PIECE, to - at), at);
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    },
    close: () => handle.close(),
  };
}
