import type { Call } from './call.ts';

/** A received and checked file that is to be stored in the document store. */
export interface NewDocument {
  /** Unique identification in the document store, at most 40 characters. Use the same one for every retry. */
  readonly identificatie: string;
  readonly titel: string;
  /** Sanitised file name, with the extension that belongs to the media type in `formaat`. */
  readonly bestandsnaam: string;
  /** Media type, detected from the content of the file. */
  readonly formaat: string;
  /** Size in bytes. */
  readonly omvang: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
  /** Date of receipt, `YYYY-MM-DD`. */
  readonly ontvangstdatum: string;
  /** Short description of what the document proves, for staff who use the document store. */
  readonly beschrijving: string;
  /** Can be called more than once. Each chunk is valid only until the next one is requested. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** The metadata of a document that the document store has stored completely. */
export interface StoredDocument {
  /** The document store's own id of the document. Clients do not get it. */
  readonly key: string;
  /** Size in bytes. */
  readonly omvang: number;
  /** SHA-256 of the content, hexadecimal; null when the document store has no hash. */
  readonly sha256: string | null;
}

/** A stream of bytes that can be read once. A Node `Readable` has this shape. */
export interface DocumentBytes extends AsyncIterable<Uint8Array> {
  /** Number of bytes that have arrived and were not read yet. */
  readonly readableLength: number;
  /** Stops the stream before its end. */
  destroy(error?: Error): unknown;
  /** Registers a listener that is called when the stream has ended or was destroyed. */
  once(event: 'close', listener: () => void): unknown;
}

/** A document that is open for reading. */
export interface OpenDocument {
  /** Size in bytes that the document store announced; null when it announced none. */
  readonly omvang: number | null;
  /**
   * Reading can fail halfway, for example when the connection breaks. A caller that does not read to the end must
   * destroy the stream.
   */
  readonly bytes: DocumentBytes;
}

/**
 * The document store (uploads.md). Methods throw `UpstreamError` when it gives no usable answer. Every adapter must
 * pass the tests in `test/ports/documents-port.ts`.
 */
export interface Documents {
  /**
   * Stores a document. A retry with the same `identificatie` and content is safe. After an `UpstreamError` with
   * `undone: false` it is unknown whether the document is stored.
   */
  put(document: NewDocument, call: Call): Promise<StoredDocument>;
  /** Returns the metadata of the completely stored document with this `identificatie`; null when there is none. */
  find(identificatie: string, call: Call): Promise<StoredDocument | null>;
  /** Returns the metadata of the completely stored document with this key; null when there is none. */
  stat(key: string, call: Call): Promise<StoredDocument | null>;
  /** Opens a document for reading. Returns null when the document does not exist. */
  open(key: string, call: Call): Promise<OpenDocument | null>;
  /**
   * Returns `absent` when the document did not exist, and `in-use` when other records refer to it. `reason` is for an
   * audit trail and may contain no personal data.
   */
  delete(key: string, reason: string, call: Call): Promise<'deleted' | 'absent' | 'in-use'>;
}
