import type { Call } from './call.ts';

/** A received and checked file that is to be stored in the document store. */
export interface NewDocument {
  /** Unique identification in the document store, at most 40 characters. Every retry uses the same value. */
  readonly identificatie: string;
  readonly titel: string;
  /** Sanitised file name, with the extension that belongs to `formaat`. */
  readonly bestandsnaam: string;
  /** Media type, detected from the content. */
  readonly formaat: string;
  /** Size in bytes. */
  readonly omvang: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
  /** Date of receipt, `YYYY-MM-DD`. */
  readonly ontvangstdatum: string;
  /** Short description of what the document proves, for users of the store. */
  readonly beschrijving: string;
  /**
   * Returns the bytes from `from` (default 0) up to, not including, `to` (default the end). It can be called more than
   * once. Each chunk is valid only until the next chunk is requested, because its memory is reused.
   */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
}

/** The metadata of a completely stored document. */
export interface StoredDocument {
  /** The document store's own key. It is opaque and is never sent to a client. */
  readonly key: string;
  /** Size in bytes. */
  readonly omvang: number;
  /** SHA-256 of the content, hexadecimal; null when the document store has no hash. */
  readonly sha256: string | null;
}

/** A stream of bytes that can be read once. A Node `Readable` has this type. */
export interface DocumentBytes extends AsyncIterable<Uint8Array> {
  /** Number of buffered bytes. */
  readonly readableLength: number;
  /** Stops the stream without reading further. */
  destroy(error?: Error): unknown;
  /** Registers a listener that is called when the stream has been read to its end or destroyed. */
  once(event: 'close', listener: () => void): unknown;
}

/** A document whose bytes are being read from the store. */
export interface OpenDocument {
  /** Size in bytes that the document store announced; null when it announced none. */
  readonly omvang: number | null;
  /**
   * The content of the document, with backpressure. Reading fails when the connection to the document store is closed
   * early. A caller that does not read to the end must destroy the stream.
   */
  readonly bytes: DocumentBytes;
}

/**
 * The document store (uploads.md). Every method throws only `UpstreamError` when the document store does not answer.
 * The contract is tested in `test/ports/documents.test.ts`, which every adapter runs.
 */
export interface Documents {
  /**
   * Stores a document. Returns its metadata when the document store has confirmed the complete document. Idempotent: an
   * existing document with the same `identificatie`, size and hash is returned unchanged. After an `UpstreamError` with
   * `undone: false` it is unknown whether the document is stored.
   */
  put(document: NewDocument, call: Call): Promise<StoredDocument>;
  /** Returns the metadata of the completely stored document with this `identificatie`; null when there is none. */
  find(identificatie: string, call: Call): Promise<StoredDocument | null>;
  /** Returns the metadata of the document with this key; null when there is none. */
  stat(key: string, call: Call): Promise<StoredDocument | null>;
  /**
   * Opens a document for reading; returns null when it does not exist. The call's deadline is for the first byte only.
   */
  open(key: string, call: Call): Promise<OpenDocument | null>;
  /**
   * Deletes a document. Returns `absent` when it did not exist, and `in-use` when the document store refuses because
   * other records refer to it. `reason` is for the document store's audit trail; it contains no personal data.
   */
  delete(key: string, reason: string, call: Call): Promise<'deleted' | 'absent' | 'in-use'>;
}
