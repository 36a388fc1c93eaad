import type { Call } from './call.ts';

/** A document as a list of the document store names it. */
export interface ListedDocument {
  readonly identificatie: string;
  /** The document store's own id of the document. */
  readonly key: string;
  /** When the document was stored: an ISO 8601 date or date and time; null when the list does not say. */
  readonly since: string | null;
}

/** The list of all documents that this service stored in the document store. */
export interface DocumentList {
  /**
   * Returns the documents whose `identificatie` begins with `ZR-`, page by page. `newCall` is called once for each
   * page, because one deadline would be too short for all pages. A document that is stored or deleted meanwhile may be
   * left out. Throws `UpstreamError` when the document store does not answer.
   */
  pages(newCall: () => Call): AsyncIterable<readonly ListedDocument[]>;
}

/** A document that the service's own store knows. */
export interface KnownDocument {
  readonly documentId: string;
  /**
   * Key of the document in the document store when the document must be there (its upload is complete); null when it
   * may be absent.
   */
  readonly key: string | null;
}

/**
 * What refers to a document: a request that was submitted or is being submitted, only a Concept (draft), or nothing.
 */
export type DocumentUse = 'request' | 'concept' | 'nothing';

/** The documents that the service's own store knows, for the comparison with the document store. */
export interface DocumentIndex {
  /**
   * Returns, in batches, the documents of all uploads, and those that must still be deleted from the document store. A
   * batch can be empty.
   */
  all(): AsyncIterable<readonly KnownDocument[]>;
  /**
   * Returns what refers to each of these documents, keyed by document id. Leaves out the documents that are not, or no
   * longer, completely uploaded.
   */
  usesOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, DocumentUse>>;
  /**
   * Adds these documents to those that a background job (the sweeper) deletes from the document store. Leaves out
   * documents that belong to an upload.
   */
  discard(documents: readonly { readonly documentId: string; readonly key: string }[]): Promise<void>;
}
