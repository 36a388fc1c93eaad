import { createHash, randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/problem.ts';
import { removeLeftBehind, spool, type WriteChunks } from '../../src/uploads/multipart.ts';
import type { Spool } from '../../src/uploads/spool.ts';
import { keep } from '../support/service.ts';

const MIB = 1024 * 1024;
const content = Buffer.from(Array.from({ length: MIB }, (_, at) => (at * 7 + (at >> 8)) & 0xff));

function* inPieces(of: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < of.length; at += size) yield of.subarray(at, at + size);
}
const spooled = (of: Buffer, size = 50_000, write?: WriteChunks) =>
  spool(Readable.from(inPieces(of, size)), 2 * MIB, write);
async function all(file: Spool): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.bytes()) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}
/** Writes only the first part of the given bytes, as a disk may do. */
const short: WriteChunks = async (handle, chunks) =>
  (await handle.write(Buffer.concat(chunks).subarray(0, 4_099))).bytesWritten;

describe('the spool of an uploaded file', () => {
  it.each<[string, number, number, WriteChunks?]>([
    ['an empty file', 0, 1],
    ['one piece', 1_000, 1_000],
    ['64 KiB, which stays in memory', 64 * 1024, 1_000],
    ['64 KiB and one byte', 64 * 1024 + 1, 1_000],
    ['pieces of one byte', 70_000, 1],
    ['one piece of 1 MiB', MIB, MIB],
    ['a disk that writes less than asked', MIB, 60_000, short],
  ])('returns the bytes unchanged: %s', async (_, size, piece, write) => {
    const file = keep(await spooled(content.subarray(0, size), piece, write));
    expect(file.size).toBe(size);
    expect(file.sha256).toBe(createHash('sha256').update(content.subarray(0, size)).digest('hex'));
    expect((await all(file)).equals(content.subarray(0, size))).toBe(true);
    expect(Buffer.from(await file.read(10, 60)).equals(content.subarray(0, size).subarray(10, 60))).toBe(true);
    expect(Buffer.from(await file.read(size - 5, size + 5)).equals(content.subarray(Math.max(0, size - 5), size))).toBe(
      true,
    );
  });

  it('takes less than 2 MiB of memory for a file in pieces of one byte', async () => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    async function* bytes(): AsyncGenerator<Buffer> {
      for (let at = 0; at < 60_000; at += 1) {
        if (at % 10_000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        yield Buffer.from(content.subarray(at, at + 1));
      }
    }
    await (await spool(Readable.from(bytes()), MIB)).close();
    expect(most).toBeLessThan(2 * MIB);
  });

  it.each<[string, WriteChunks, string]>([
    ['is full', () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })), 'ENOSPC'],
    ['writes a part and then nothing', thenNothing(), 'ENOSPC'],
    ['breaks', () => Promise.reject(Object.assign(new Error('broken'), { code: 'EIO' })), 'EIO'],
  ])('throws a problem 503 with a reason for the log and closes its file when the disk %s', async (_, write, code) => {
    let used: FileHandle | undefined;
    const error = await spooled(content, 50_000, (handle, ...rest) => {
      used = handle;
      return write(handle, ...rest);
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Problem);
    const { status, extras, detail } = error as Problem;
    expect([status, extras.headers]).toEqual([503, { 'Retry-After': '30' }]);
    expect(extras.reason).toContain(code);
    expect(detail).not.toContain(code);
    expect(used?.fd).toBe(-1);
  });

  it('throws when its temporary file was truncated', async () => {
    let used: FileHandle | undefined;
    const file = keep(
      await spooled(content, 50_000, (handle, ...rest) => {
        used = handle;
        return short(handle, ...rest);
      }),
    );
    await used?.truncate(100_000);
    await expect(all(file)).rejects.toThrow('shorter');
    await expect(file.read(MIB - 10, MIB)).rejects.toThrow('shorter');
  });

  function thenNothing(): WriteChunks {
    let calls = 0;
    return async (handle, chunks) => {
      calls += 1;
      return calls === 1 ? (await handle.write(Buffer.concat(chunks).subarray(0, 10))).bytesWritten : 0;
    };
  }
});

describe('removeLeftBehind', () => {
  it('removes the temporary file of a killed process, and no other files', async () => {
    const ours = join(tmpdir(), `zorgregister-upload-${randomUUID()}`);
    const others = [`upload-${randomUUID()}`, `my-zorgregister-upload-${randomUUID()}`, `zorgregister-${randomUUID()}`];
    const paths = others.map((name) => join(tmpdir(), name));
    for (const path of [ours, ...paths]) writeFileSync(path, '');
    await removeLeftBehind();
    expect(existsSync(ours)).toBe(false);
    expect(paths.map(existsSync)).toEqual([true, true, true]);
    for (const path of paths) rmSync(path);
  });

  it('does not affect an upload in progress', async () => {
    const file = keep(await spooled(content));
    await removeLeftBehind();
    expect((await all(file)).equals(content)).toBe(true);
  });
});
