import { randomUUID } from 'node:crypto';
import { TIME } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Deletes a document: sets its upload to `deleting`, deletes the document from the document store, then deletes the
 * upload from the service's own store and the document's id from applications. In the state `deleting`, a concurrent
 * submission with the document is refused. Returns `absent` when the owner has no such stored document, and `linked`
 * when a submitted application or another record in the document store refers to it. When the document store fails,
 * restores the state and throws.
 *
 * @param even - `linked` also deletes the upload of a document to which an application refers. The document itself
 * stays in the document store when other records there refer to it
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
