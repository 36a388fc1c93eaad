import { randomUUID } from 'node:crypto';
import { TIME } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Removes a document: marked first, so that a submit of it at the same moment wins or loses cleanly, then from the store of
 * documents, then here. When that store is not there it is as it was, and the error says so.
 */
export async function remove(
  { uploads, documents }: UploadDeps,
  { call }: Pick<Request, 'call'>,
  owner: string,
  documentId: string,
  reason: string,
  even?: 'linked',
): Promise<'removed' | 'absent' | 'linked'> {
  const token = randomUUID();
  const begun = await uploads.beginDelete(owner, documentId, { token, until: Date.now() + TIME.store }, even);
  if (typeof begun === 'string') return begun;
  try {
    const gone = begun.key === null ? 'absent' : await documents.delete(begun.key, reason, call);
    // What others refer to in the store stays theirs; here it is gone when an administrator says so.
    if (gone !== 'in-use' || even === 'linked') {
      await uploads.endDelete(documentId, token);
      return 'removed';
    }
  } catch (error) {
    await uploads.cancelDelete(documentId, token);
    throw error;
  }
  await uploads.cancelDelete(documentId, token);
  return 'linked';
}
