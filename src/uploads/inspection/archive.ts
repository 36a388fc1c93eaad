import type { Spool } from '../transport/spool.ts';

/** The size in bytes of the shortest end record of a ZIP: a record without a comment (APPNOTE 4.3.16). */
const END_RECORD = 22;
/** The size in bytes of the longest end record of a ZIP: a record with the longest possible comment. */
const MAX_END_RECORD = END_RECORD + 0xffff;
/** The maximum number of ZIP end records that are checked in one file. A file with more is treated as a ZIP. */
const MAX_ENDS = 8;

/** The signatures of ZIP records, as little-endian numbers. */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const ZIP64_LOCATOR = 0x07064b50;

/**
 * Returns true when a file can be opened as a ZIP. One file can be both a valid PDF or image and a ZIP, because ZIP
 * readers search for an end record in the last bytes.
 */
export async function isArchive(file: Spool): Promise<boolean> {
  const from = Math.max(0, file.size - MAX_END_RECORD);
  const bytes = await file.read(from, file.size);
  const tail = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let ends = 0;
  for (let at = tail.byteLength - END_RECORD; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END) continue;
    ends += 1;
    if (ends > MAX_ENDS || (await hasDirectory(file, tail, from, at))) return true;
  }
  return false;
}

/**
 * Returns true when the end record at offset `at` of `tail` belongs to a ZIP (also an empty one, or a ZIP64).
 *
 * @param tail - the last bytes of the file, from offset `from` of the file
 */
async function hasDirectory(file: Spool, tail: DataView, from: number, at: number): Promise<boolean> {
  const entries = tail.getUint16(at + 10, true);
  const size = tail.getUint32(at + 12, true);
  const offset = tail.getUint32(at + 16, true);
  if (entries === 0 && size === 0) return true;
  if (at >= 20 && tail.getUint32(at - 20, true) === ZIP64_LOCATOR) return true;
  return (await hasEntry(file, offset)) || (await hasEntry(file, from + at - size));
}

async function hasEntry(file: Spool, at: number): Promise<boolean> {
  if (at < 0 || at + 4 > file.size) return false;
  const bytes = await file.read(at, at + 4);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true) === ENTRY;
}
