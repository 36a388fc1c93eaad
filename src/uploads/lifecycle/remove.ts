import { randomUUID } from 'node:crypto';
import { TIME } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Deletes a document from the document store and then from the service's own store. Sets it to `deleting` before that,
 * so that a submission at the same moment is refused. When the document store fails, restores the state and throws.
 * When the document store refuses because of other references, restores the state and returns `linked`.
 *
 * @param even - `linked` also deletes a document to which an application refers
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
    // A document that others refer to stays in the document store; an administrator removes it from ours.
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
