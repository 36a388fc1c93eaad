import { randomUUID } from 'node:crypto';
import { TIME } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Removes a document: marks it as being deleted, removes it from the document store, then from ours. The mark decides
 * between a deletion and a submit at the same moment. Throws the error of the document store, and then the mark is
 * removed. Afterwards no application lists the document.
 *
 * @param even - `linked` also removes a document that an application refers to
 */
export async function remove(
  { uploads, documents, applications }: UploadDeps,
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
      await applications.dropDocument(owner, documentId);
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
