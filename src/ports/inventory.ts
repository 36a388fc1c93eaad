import type { Call } from './call.ts';

/** A document as a list of the document store names it. */
export interface ListedDocument {
  readonly identificatie: string;
  /** The document store's own id of the document. */
  readonly key: string;
  /** When the document was stored: an ISO 8601 date or date and time; null when the list does not say. */
  readonly since: string | null;
}

/** The list of everything that this service stored in the document store. */
export interface DocumentList {
  /**
   * Returns the documents whose `identificatie` begins with `ZR-`, page by page. A document that is stored or deleted
   * meanwhile may be left out. Throws `UpstreamError` when the document store does not answer. `newCall` makes the
   * call of each page.
   */
  pages(newCall: () => Call): AsyncIterable<readonly ListedDocument[]>;
}

/** A document that the service's own store knows. */
export interface KnownDocument {
  readonly documentId: string;
  /** Key of the document in the document store when it must be there; null when it may be absent. */
  readonly key: string | null;
}

/** What refers to a document: a submitted request, a Concept (draft), or nothing. */
export type DocumentUse = 'request' | 'concept' | 'nothing';

/** What the service's own store knows of documents, for the comparison with the document store. */
export interface DocumentIndex {
  /** Returns all documents that were uploaded or must still be deleted, in batches. */
  all(): AsyncIterable<readonly KnownDocument[]>;
  /** Returns what refers to each of these documents. Leaves out those that are not there any more. */
  usesOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, DocumentUse>>;
  /** Has the sweeper delete these documents from the document store. Leaves out those that an upload refers to. */
  discard(documents: readonly { readonly documentId: string; readonly key: string }[]): Promise<void>;
}
