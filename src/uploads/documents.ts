import { randomUUID } from 'node:crypto';
import { TIME } from '../domain/upload-limits.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../ports/documents.ts';
import type { ApplicationStore } from '../ports/store/applications.ts';
import type { Leftover, UploadStore } from '../ports/store/uploads.ts';

export interface DocumentStores {
  readonly uploads: UploadStore;
  readonly documents: Documents;
  readonly applications: Pick<ApplicationStore, 'dropDocument'>;
}

/** The document store allows at most 40 characters. */
export const identificatieOf = (documentId: string): string => `ZR-${documentId.replaceAll('-', '')}`;

/**
 * Stores a document and checks that the confirmation has the same size and hash. When the outcome is unknown, looks
 * whether the store has it. Throws `UpstreamError` when it was not stored completely, or when that is unknown. A
 * gateway can refuse a large document by closing the connection: when the store then says that it does not have it, it
 * is sent once more; when that ends in the same way, the error says that it is too large.
 */
export async function storeDocument(documents: Documents, document: NewDocument, call: Call): Promise<StoredDocument> {
  const first = await storeOrLook(documents, document, call);
  if (first !== 'closed') return first;
  const second = await storeOrLook(documents, document, call);
  if (second !== 'closed') return second;
  const facts = { lost: true, tooLarge: 'certain' } as const;
  throw new UpstreamError('documenten', 'unavailable', 'closed the connection twice during a large document', facts);
}

// `closed`: the store closed the connection, and does not have the document, which is large.
async function storeOrLook(
  documents: Documents,
  document: NewDocument,
  call: Call,
): Promise<StoredDocument | 'closed'> {
  try {
    const stored = await documents.put(document, call);
    if (isStoredCompletely(stored, document)) return stored;
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.undone) throw error;
    const arrived = await documents.find(document.identificatie, call).catch(() => undefined);
    if (arrived !== undefined && isStoredCompletely(arrived, document)) return arrived;
    if (error.tooLarge === 'possible' && arrived === null) return 'closed';
    throw error;
  }
  throw new UpstreamError('documenten', 'unreadable', 'it confirmed another document than ours');
}

/**
 * Returns true when the document store has the whole file. Only the size is compared when the document store has no
 * hash. False for null.
 */
export const isStoredCompletely = (
  stored: StoredDocument | null,
  { omvang, sha256 }: Pick<NewDocument, 'omvang' | 'sha256'>,
): stored is StoredDocument => stored !== null && stored.omvang === omvang && (stored.sha256 ?? sha256) === sha256;

// `reason` is for the audit trail of the document store.
interface Removal {
  readonly owner: string;
  readonly documentId: string;
  readonly reason: string;
  readonly even?: 'linked';
}

/**
 * Deletes a document from the document store, from the applications of its owner, and from the database. Returns
 * `absent` when the owner has no such document, and `linked` (nothing is deleted) when a submitted application or
 * another record in the document store refers to it. Throws the error of a failed step; the sweeper then finishes the
 * deletion, unless the document was certainly not deleted.
 *
 * @param even - `'linked'` also deletes an upload to which something refers; the document stays in the document store
 * when other records there refer to it
 */
export async function removeDocument(
  { uploads, documents, applications }: DocumentStores,
  { owner, documentId, reason, even }: Removal,
  call: Call,
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

const REASON = 'Opgeruimd: hoort bij geen aanvraag';

/**
 * Deletes a document that no upload has any more. When other records in the document store refer to the document, it is
 * deleted only from the database.
 */
export async function removeLeftover(
  { uploads, documents }: Pick<DocumentStores, 'documents'> & { readonly uploads: Pick<UploadStore, 'removed'> },
  { documentId, key }: Leftover,
  call: Call,
): Promise<void> {
  const there = key ?? (await documents.find(identificatieOf(documentId), call))?.key;
  if (there !== undefined) await documents.delete(there, REASON, call);
  await uploads.removed(documentId);
}

/**
 * Deletes those to which no application of the owner refers any more (domain.md 4.4). When the document store fails,
 * the sweeper deletes them later.
 */
export async function removeDocuments(
  stores: Pick<DocumentStores, 'uploads' | 'documents'>,
  owner: string,
  documentIds: readonly string[],
  call: Call,
): Promise<void> {
  if (documentIds.length === 0) return;
  const leftovers = await stores.uploads.abandon(owner, documentIds);
  // All end before the answer, which aborts what still runs: one failure must not stop the others.
  const outcomes = await Promise.allSettled(leftovers.map((leftover) => removeLeftover(stores, leftover, call)));
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !(outcome.reason instanceof UpstreamError)) throw outcome.reason;
}

/** Returns the ids of the documents that exist, belong to this owner, and are not being deleted. */
export async function findExistingIds(
  uploads: UploadStore,
  owner: string,
  documentIds: readonly string[],
): Promise<string[]> {
  if (documentIds.length === 0) return [];
  const found = await uploads.named(owner, documentIds);
  return found.filter(({ state }) => state !== 'deleting').map(({ documentId }) => documentId);
}

/**
 * Removes ids of deleted documents from an owner's applications. Call it after `documentIds` were stored in one: a
 * document can be deleted between the check of its id and that moment.
 */
export async function dropDeleted(
  { uploads, applications }: Pick<DocumentStores, 'uploads' | 'applications'>,
  owner: string,
  documentIds: readonly string[],
): Promise<void> {
  const there = await findExistingIds(uploads, owner, documentIds);
  for (const id of documentIds) if (!there.includes(id)) await applications.dropDocument(owner, id);
}
