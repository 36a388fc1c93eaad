import type { Call } from './call.ts';

/** A document to store. It has been received completely and checked. */
export interface NewDocument {
  /** Unique identification in the store, at most 40 characters; the same in every retry. */
  readonly identificatie: string;
  readonly titel: string;
  /** Sanitised file name, with the extension that belongs to `formaat`. */
  readonly bestandsnaam: string;
  /** Media type, detected from the content. */
  readonly formaat: string;
  /** Bytes. */
  readonly omvang: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** `YYYY-MM-DD`. */
  readonly ontvangstdatum: string;
  /** Short description of what the document proves, for users of the store. */
  readonly beschrijving: string;
  /**
   * Returns the bytes from `from` (default 0) up to, not including, `to` (default the end). Can be called repeatedly. A
   * chunk is valid until the next one is requested, because its memory is reused.
   */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
}

/** A document that is stored completely. */
export interface StoredDocument {
  /** The store's own key. Opaque; never leaves the service. */
  readonly key: string;
  /** Bytes. */
  readonly omvang: number;
  /** Hexadecimal; null when the store has no hash. */
  readonly sha256: string | null;
}

/** A stream of bytes that can be read once. A Node `Readable` satisfies it. */
export interface DocumentBytes extends AsyncIterable<Uint8Array> {
  /** Bytes that are buffered. */
  readonly readableLength: number;
  /** Stops the stream; the rest is not read. */
  destroy(error?: Error): unknown;
  /** Calls `listener` when the stream has been read to the end or destroyed. */
  once(event: 'close', listener: () => void): unknown;
}

/** A document whose bytes are being read from the store. */
export interface OpenDocument {
  /** Size in bytes as the store announced it; null when it did not. */
  readonly omvang: number | null;
  /**
   * Ends with an error when the store breaks the connection. Applies backpressure. The caller must destroy it when it
   * does not read to the end.
   */
  readonly bytes: DocumentBytes;
}

/**
 * The document store (uploads.md). Every method throws `UpstreamError` and nothing else when there is no answer.
 * The contract is tested in `test/ports/documents.test.ts`, which every adapter runs.
 */
export interface Documents {
  /**
   * Stores a document, and returns when the store has confirmed all of it. Idempotent: an existing document with the
   * same `identificatie`, size and hash is returned as it is. After an `UpstreamError` that is not `undone` it is
   * unknown whether the document is stored.
   */
  put(document: NewDocument, call: Call): Promise<StoredDocument>;
  /** Returns the metadata of the completely stored document with this `identificatie`; null when there is none. */
  find(identificatie: string, call: Call): Promise<StoredDocument | null>;
  /** Returns the metadata of the document with this key; null when there is none. */
  stat(key: string, call: Call): Promise<StoredDocument | null>;
  /** Starts to read a document; null when there is none. The deadline of the call ends at the first byte. */
  open(key: string, call: Call): Promise<OpenDocument | null>;
  /**
   * Deletes a document. `absent`: it did not exist. `in-use`: the store refuses, because other records refer to it.
   * `reason` is written to the audit trail of the store, and contains no personal data.
   */
  delete(key: string, reason: string, call: Call): Promise<'deleted' | 'absent' | 'in-use'>;
}
