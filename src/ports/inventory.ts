import type { Call } from './call.ts';

/** An entry of the document store's list of documents. */
export interface ListedDocument {
  readonly identificatie: string;
  /** The document store's own id of the document. */
  readonly key: string;
  /** When the document was stored, as ISO 8601 date or date and time; null when the list does not say. */
  readonly since: string | null;
}

/**
 * The list of the documents that this service stored in the document store, to compare with the service's own store.
 */
export interface DocumentList {
  /**
   * Returns the documents whose `identificatie` begins with `ZR-`, page by page. `newCall` is called for each page, so
   * that each page has its own deadline. A document that is stored or deleted meanwhile may be missing.
   */
  pages(newCall: () => Call): AsyncIterable<readonly ListedDocument[]>;
}

/** A document that the service's own store has recorded. */
export interface KnownDocument {
  readonly documentId: string;
  /**
   * Key of the document in the document store when its upload is complete; null when the document may be absent there.
   */
  readonly key: string | null;
  /** True when the document is referred to only by requests that are not in the service's own store. */
  readonly isStranded: boolean;
}

/** What refers to a document: a request that was or is being submitted, only a draft application, or nothing. */
export type DocumentUse = 'request' | 'concept' | 'nothing';

/** The documents that the service's own store has recorded, to compare with the document store. */
export interface DocumentIndex {
  /**
   * Returns the documents of all uploads, and those still to be deleted from the document store, in batches that may be
   * empty.
   */
  all(): AsyncIterable<readonly KnownDocument[]>;
  /**
   * Returns what refers to each of these documents, keyed by document id. Documents that are not completely uploaded
   * are missing from the result.
   */
  usesOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, DocumentUse>>;
  /**
   * Marks documents for deletion from the document store by a background job. Ignores documents that belong to an
   * upload.
   */
  discard(documents: readonly { readonly documentId: string; readonly key: string }[]): Promise<void>;
  /**
   * Lets a background job delete these documents, as documents to which nothing refers. Ignores documents that are not
   * stranded (`KnownDocument.isStranded`).
   */
  release(documentIds: readonly string[]): Promise<void>;
}
