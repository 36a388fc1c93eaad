import type { Call } from './call.ts';

/** A received and checked file that the document store must store. */
export interface NewDocument {
  /** Unique identification in the document store, at most 40 characters. Every retry uses the same identification. */
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
  /** Short description of what the document proves, for people who use the document store. */
  readonly beschrijving: string;
  /**
   * Returns the bytes from `from` (the start when absent) up to, not including, `to` (the end when absent). Can be
   * called more than once. Each chunk is valid only until the next chunk is requested, because its memory is reused.
   */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
}

/** The metadata of a completely stored document. */
export interface StoredDocument {
  /** The document store's own id of the document. It is never sent to a client. */
  readonly key: string;
  /** Size in bytes. */
  readonly omvang: number;
  /** SHA-256 of the content, hexadecimal; null when the document store has no hash. */
  readonly sha256: string | null;
}

/** A stream of bytes that can be read once. It has the shape of a Node `Readable`. */
export interface DocumentBytes extends AsyncIterable<Uint8Array> {
  /** Number of bytes that have arrived and have not been read yet. */
  readonly readableLength: number;
  /** Stops the stream without reading further. */
  destroy(error?: Error): unknown;
  /** Registers a listener that is called when the stream has been read to its end or destroyed. */
  once(event: 'close', listener: () => void): unknown;
}

/** A document whose bytes can now be read from the document store. */
export interface OpenDocument {
  /** Size in bytes that the document store announced; null when the document store announced no size. */
  readonly omvang: number | null;
  /**
   * The content of the document; the document store is read as fast as the caller reads (backpressure). Reading fails
   * when the connection to the document store is closed early, and when `call` is aborted. A caller that does not read
   * to the end must destroy the stream.
   */
  readonly bytes: DocumentBytes;
}

/**
 * The document store (uploads.md). A method throws `UpstreamError` when the document store gives no usable answer, and
 * `ClientDisconnected` when the client has left. `test/ports/documents-port.ts` has the tests that every adapter must
 * pass.
 */
export interface Documents {
  /**
   * Stores a document. Returns its metadata when the document store has confirmed the complete document. When a
   * document with the same `identificatie`, size and hash exists, returns the metadata of that document, so that a
   * retry is safe. After an `UpstreamError` with `undone: false` it is unknown whether the document is stored.
   */
  put(document: NewDocument, call: Call): Promise<StoredDocument>;
  /**
   * Returns the metadata of the completely stored document with this `identificatie`; null when there is no such
   * document.
   */
  find(identificatie: string, call: Call): Promise<StoredDocument | null>;
  /** Returns the metadata of the document with this key; null when there is no such document or it is incomplete. */
  stat(key: string, call: Call): Promise<StoredDocument | null>;
  /**
   * Opens a document for reading, and resolves when its first byte has arrived. Returns null when the document does not
   * exist.
   */
  open(key: string, call: Call): Promise<OpenDocument | null>;
  /**
   * Deletes a document. Returns `absent` when the document did not exist, and `in-use` when the document store refuses
   * the deletion because other records refer to the document. `reason` is for the document store's audit trail (when it
   * has one), and contains no personal data.
   */
  delete(key: string, reason: string, call: Call): Promise<'deleted' | 'absent' | 'in-use'>;
}
