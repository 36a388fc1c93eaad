import { randomUUID } from 'node:crypto';
import { TIME } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation/operation.ts';
import { UpstreamError } from '../../ports/call.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Deletes a document from the document store, its id from applications, and its upload from the service's own database.
 * Returns `removed` when that succeeds, `absent` when the owner has no such stored document, and `linked` (nothing is
 * deleted) when a submitted application or another record in the document store refers to it. Throws the error of a
 * failed step. The sweeper (background job, `sweepOrphans`) then finishes the deletion, unless the document was
 * certainly not deleted.
 *
 * @param even - `'linked'` also deletes an upload to which something refers; the document itself stays in the document
 *   store when other records there refer to it
 */
export async function removeDocument(
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
  const gone =
    begun.key === null
      ? 'absent'
      : await documents.delete(begun.key, reason, call).catch(async (error) => {
          if (error instanceof UpstreamError && error.undone) await uploads.cancelDelete(documentId, token);
          else await applications.dropDocument(owner, documentId);
          throw error;
        });
  // With other references the document stays in the document store; an administrator deletes only its upload.
  if (gone === 'in-use' && even !== 'linked') {
    await uploads.cancelDelete(documentId, token);
    return 'linked';
  }
  await applications.dropDocument(owner, documentId);
  await uploads.endDelete(documentId, token);
  return 'removed';
}
