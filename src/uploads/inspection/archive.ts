import type { Spool } from '../transport/spool.ts';

/** The end record of a ZIP (APPNOTE 4.3.16) without its comment, and with the longest. */
const END_RECORD = 22;
const LONGEST_END = END_RECORD + 0xffff;
/** No file that is not made to deceive has more end records than this among its last 64 KiB. */
const MOST_ENDS = 8;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const ZIP64_LOCATOR = 0x07064b50;

/**
 * Whether a file can be opened as a ZIP, whatever it begins with. Readers of ZIP look at the end, where a comment may follow
 * that holds the end of a PDF or an image: the same file is then evidence to us and an archive to another.
 */
export async function isArchive(file: Spool): Promise<boolean> {
  const from = Math.max(0, file.size - LONGEST_END);
  const bytes = await file.read(from, file.size);
  const tail = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let ends = 0;
  for (let at = tail.byteLength - END_RECORD; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END) continue;
    ends += 1;
    if (ends > MOST_ENDS || (await endsArchive(file, tail, from, at))) return true;
  }
  return false;
}

/** Whether the end record at `at` has the directory of an archive: where it says, before itself, or, of no entries, nowhere. */
async function endsArchive(file: Spool, tail: DataView, from: number, at: number): Promise<boolean> {
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
