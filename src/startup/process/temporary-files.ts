import { tmpdir } from 'node:os';
import { removeLeftBehind, tryTemporaryFile } from '../../uploads/spooling.ts';
import { StartError } from '../start-error.ts';

/** Codes of errors that do not end by themselves. A full disk is not one of them: there may be room later. */
const LASTING = /^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|ENAMETOOLONG)$/;

/**
 * Deletes the temporary files of uploads that killed processes left behind. Rejects with a message for the operator when
 * no temporary file can be made: each larger upload would then fail.
 */
export async function prepareTemporaryFiles(): Promise<void> {
  await removeLeftBehind();
  await tryTemporaryFile().catch((error: NodeJS.ErrnoException) => {
    if (LASTING.test(error.code ?? ''))
      throw new StartError(
        `TMPDIR: ${tmpdir()} cannot be used for the temporary files of uploads (${error.code}). Choose a folder that can be written`,
        error,
      );
  });
}
