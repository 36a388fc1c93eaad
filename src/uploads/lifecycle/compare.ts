import type { Call } from '../../ports/call.ts';
import type { Documents } from '../../ports/documents.ts';
import type { DocumentIndex, DocumentList, DocumentUse } from '../../ports/inventory.ts';
import { documentIdOf } from './store-document.ts';

/** The differences between the document store (an upstream) and the service's own database. */
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
 * Compares the documents in the document store (an upstream) with the documents in the service's own database. The
 * service may run at the same time.
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
