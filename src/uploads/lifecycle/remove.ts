import { randomUUID } from 'node:crypto';
import { TIME } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation/operation.ts';
import { UpstreamError } from '../../ports/call.ts';
import type { UploadDeps } from '../deps.ts';

/**
 * Deletes a document and returns `removed`. First sets its upload to `deleting`, so that a concurrent submission with the
 * document is refused. Then deletes the document from the document store, its id from applications, and its upload from
 * the service's own store. Returns `absent` when the owner has no such stored document. Returns `linked`, and deletes
 * nothing, when a submitted application or another record in the document store refers to it. Throws the error when a
 * step fails. The upload is then `uploaded` again only when the document was certainly not deleted; otherwise it stays
 * `deleting`, and `sweepOrphans` finishes the deletion.
 *
 * @param even - with `'linked'`, the upload is deleted although something refers to the document; the document itself
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
