import { ControlError } from './refusals.ts';

/** Codes of Node for a file that cannot be written because the disk, the quota or the limit of a file is full. */
const FILE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** Primary result codes of SQLite for a write that failed: SQLITE_IOERR and SQLITE_FULL. */
const SQLITE_CODES = [10, 13];

/** The 503 for an error that says that the disk of DATA_DIR is full or cannot be written to; null for another. */
export function diskFull(error: unknown): ControlError | null {
  const { code, errcode = 0, cause } = Object(error) as { code?: unknown; errcode?: number; cause?: unknown };
  const isFull =
    FILE_CODES.includes(String(code)) || (code === 'ERR_SQLITE_ERROR' && SQLITE_CODES.includes(errcode & 0xff));
  if (isFull)
    return new ControlError(
      'schijf-vol',
      'De schijf met DATA_DIR is vol of stuk. Maak ruimte, bijvoorbeeld door een momentopname te verwijderen, en doe het dan opnieuw.',
    );
  return cause === undefined ? null : diskFull(cause);
}
