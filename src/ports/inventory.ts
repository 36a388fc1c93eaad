import type { Call } from './call.ts';

/** An entry of the document store's list of documents. */
export interface ListedDocument {
  readonly identificatie: string;
  /** The document store's own id of the document. */
  readonly key: string;
  /** When the document was stored, as ISO 8601 date or date and time; null when the list does not say. */
  readonly since: string | null;
}

/** What this service stored in the document store, to compare with the service's own store. */
export interface DocumentList {
  /**
   * Those whose `identificatie` begins with `ZR-`. `newCall` is called for each page, so that each has its own
   * deadline. A document that is stored or deleted meanwhile may be missing.
   */
  pages(newCall: () => Call): AsyncIterable<readonly ListedDocument[]>;
}

/** A document that the service's own store has recorded. */
export interface KnownDocument {
  readonly documentId: string;
  /** Null when the document may be absent in the document store. */
  readonly key: string | null;
  /** True when the document is referred to only by requests that are not in the service's own store. */
  readonly isStranded: boolean;
}

/** What refers to a document: a request that was or is being submitted, only a draft application, or nothing. */
export type DocumentUse = 'request' | 'concept' | 'nothing';

/** The documents that the service's own store has recorded, to compare with the document store. */
export interface DocumentIndex {
  /** The documents of all uploads, and leftovers, in batches that may be empty. */
  all(): AsyncIterable<readonly KnownDocument[]>;
  /** Returns what refers to each document, by its id. Those that are not completely uploaded are missing. */
  usesOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, DocumentUse>>;
  /** Makes leftovers of these documents. Ignores those that belong to an upload. */
  discard(documents: readonly { readonly documentId: string; readonly key: string }[]): Promise<void>;
  /** Lets the sweeper delete these documents. Ignores those that are not stranded (`KnownDocument.isStranded`). */
  release(documentIds: readonly string[]): Promise<void>;
}
