import { randomUUID } from 'node:crypto';
import { TIME } from '../domain/upload-limits.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import type { Documents, NewDocument, StoredDocument } from '../ports/documents.ts';
import type { DocumentIndex, DocumentList, DocumentUse } from '../ports/inventory.ts';
import type { ApplicationStore } from '../ports/store/applications.ts';
import type { Leftover, UploadStore } from '../ports/store/uploads.ts';

/** Where documents, and what refers to them, are kept. */
export interface DocumentStores {
  readonly uploads: UploadStore;
  readonly documents: Documents;
  readonly applications: Pick<ApplicationStore, 'dropDocument'>;
}

/**
 * Returns the `identificatie` under which the document store knows the document with this id: `ZR-` and 32 characters.
 * The document store allows at most 40 characters.
 */
export const identificatieOf = (documentId: string): string => `ZR-${documentId.replaceAll('-', '')}`;

// Null for an `identificatie` that this service does not make.
const documentIdOf = (identificatie: string): string | null =>
  /^ZR-[0-9a-f]{32}$/.test(identificatie)
    ? identificatie.replace(/^ZR-(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : null;

/**
 * Stores a document in the document store, checks that the confirmation has the same size and hash, and returns it.
 * When the outcome of the call is unknown, looks whether the document store has the document. Throws `UpstreamError`
 * when the document was not stored completely, or when that is unknown.
 *
 * A gateway can refuse a large document by closing the connection. When the store then says that it does not have the
 * document, it is sent once more; when that ends in the same way, the error says that it is too large.
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
 * Returns true when the stored document has this size and this SHA-256. When the document store has no hash, only the
 * size is compared. Returns false for null.
 */
export const isStoredCompletely = (
  stored: StoredDocument | null,
  { omvang, sha256 }: Pick<NewDocument, 'omvang' | 'sha256'>,
): stored is StoredDocument => stored !== null && stored.omvang === omvang && (stored.sha256 ?? sha256) === sha256;

/** Which document to delete, and why: `reason` is for the audit trail of the document store. */
interface Removal {
  readonly owner: string;
  readonly documentId: string;
  readonly reason: string;
  readonly even?: 'linked';
}

/**
 * Deletes a document of a person from the document store, from the applications of that person, and from the service's
 * own database. Returns `absent` when the owner has no such stored document, and `linked` (nothing is deleted) when a
 * submitted application or another record in the document store refers to it. Throws the error of a failed step; the
 * sweeper then finishes the deletion, unless the document was certainly not deleted.
 *
 * @param even - `'linked'` also deletes an upload to which something refers; the document itself stays in the document
 *   store when other records there refer to it
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
 * Deletes a leftover (a document without an upload) from the document store and from the service's own database. When
 * other records in the document store refer to the document, it is deleted only from the database.
 */
export async function removeLeftover(
  { uploads, documents }: Pick<DocumentStores, 'uploads' | 'documents'>,
  { documentId, key }: Leftover,
  call: Call,
): Promise<void> {
  const there = key ?? (await documents.find(identificatieOf(documentId), call))?.key;
  if (there !== undefined) await documents.delete(there, REASON, call);
  await uploads.removed(documentId);
}

/**
 * Deletes each document in `documentIds` to which no application of the owner refers any more (domain.md 4.4). When the
 * document store fails, the sweeper deletes it later.
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

/** Returns the ids in `documentIds` of documents that exist, belong to this owner, and are not being deleted. */
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
 * Removes from the applications of an owner those ids in `documentIds` whose document is deleted. Call it after
 * `documentIds` were stored in an application: a document can be deleted between the check of its id and that moment.
 */
export async function dropDeleted(
  { uploads, applications }: Pick<DocumentStores, 'uploads' | 'applications'>,
  owner: string,
  documentIds: readonly string[],
): Promise<void> {
  const there = await findExistingIds(uploads, owner, documentIds);
  for (const id of documentIds) if (!there.includes(id)) await applications.dropDocument(owner, id);
}

/** The differences between the document store and the service's own database. */
export interface Comparison {
  /** Number of documents of this service in the document store. */
  readonly stored: number;
  /** Documents in the document store that the service's own database does not know. */
  readonly unowned: readonly { readonly documentId: string; readonly key: string; readonly since: string | null }[];
  /** Ids of documents that only requests refer to that the service's own database does not have. */
  readonly stranded: readonly string[];
  /** Documents that should be in the document store and are not, with what refers to them. */
  readonly missing: readonly { readonly documentId: string; readonly use: DocumentUse }[];
}

/**
 * Compares the documents in the document store with those in the service's own database. The service may run at the same
 * time.
 *
 * @param newCall - returns a new context for one call to the document store
 */
export async function compareDocuments(
  list: DocumentList,
  documents: Pick<Documents, 'stat'>,
  index: DocumentIndex,
  newCall: () => Call,
): Promise<Comparison> {
  const stored = new Map<string, Comparison['unowned'][number]>();
  for await (const page of list.pages(newCall)) {
    for (const { identificatie, key, since } of page) {
      const documentId = documentIdOf(identificatie);
      if (documentId !== null) stored.set(documentId, { documentId, key, since });
    }
  }
  const unowned = new Map(stored);
  const absent: string[] = [];
  const stranded: string[] = [];
  for await (const batch of index.all()) {
    for (const { documentId, key, isStranded } of batch) {
      unowned.delete(documentId);
      if (isStranded) stranded.push(documentId);
      // Looked up by its key as well, because a list may leave out what changed while it was read.
      if (key !== null && !stored.has(documentId) && (await documents.stat(key, newCall())) === null)
        absent.push(documentId);
    }
  }
  const uses = await index.usesOf(absent);
  return {
    stored: stored.size,
    unowned: [...unowned.values()],
    stranded,
    missing: [...uses].map(([documentId, use]) => ({ documentId, use })),
  };
}
