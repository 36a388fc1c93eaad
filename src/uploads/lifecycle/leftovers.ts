import { type Call, UpstreamError } from '../../ports/call.ts';
import type { Leftover, UploadStore } from '../../ports/store/uploads.ts';
import type { UploadDeps } from '../deps.ts';
import { identificatieOf } from './store-document.ts';

type Stores = Pick<UploadDeps, 'uploads' | 'documents'>;

const REASON = 'Opgeruimd: hoort bij geen aanvraag';

/**
 * Deletes a leftover (a document without an upload) from the document store and from the service's own database. When
 * other records in the document store refer to the document, it is deleted only from the database.
 */
export async function removeLeftover(
  { uploads, documents }: Stores,
  { documentId, key }: Leftover,
  call: Call,
): Promise<void> {
  const there = key ?? (await documents.find(identificatieOf(documentId), call))?.key;
  if (there !== undefined) await documents.delete(there, REASON, call);
  await uploads.removed(documentId);
}

/**
 * Deletes each document in `documentIds` to which no application of the owner refers any more (domain.md 4.4). When the
 * document store fails, the sweeper (background job, `sweepOrphans`) deletes it later.
 */
export async function removeDocuments(
  stores: Stores,
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
  { uploads, applications }: Pick<UploadDeps, 'uploads' | 'applications'>,
  owner: string,
  documentIds: readonly string[],
): Promise<void> {
  const there = await findExistingIds(uploads, owner, documentIds);
  for (const id of documentIds) if (!there.includes(id)) await applications.dropDocument(owner, id);
}
