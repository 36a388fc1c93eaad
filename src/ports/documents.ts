import type { Call } from './call.ts';

/** A document that is to be kept: everything about it has been checked, and every byte is at hand. */
export interface NewDocument {
  /** Names this document in the store and nowhere else. At most 40 characters; the same in every try to keep it. */
  readonly identificatie: string;
  readonly titel: string;
  /** Clean, with the extension of its type. */
  readonly bestandsnaam: string;
  /** Media type, as its content shows. */
  readonly formaat: string;
  /** Bytes. */
  readonly omvang: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** `YYYY-MM-DD`. */
  readonly ontvangstdatum: string;
  /** What it is evidence of, for whoever looks in the store. */
  readonly beschrijving: string;
  /** The bytes from `from` (0) up to and without `to` (the end), as often as asked. A piece is good until the next is asked for. */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
}

/** A document that the store has, in full. */
export interface StoredDocument {
  /** The store's own key. Opaque; never leaves the service. */
  readonly key: string;
  /** Bytes. */
  readonly omvang: number;
  /** Hexadecimal; null where the store keeps none. */
  readonly sha256: string | null;
}

/** Bytes that come piece by piece and can be read once. Node's streams are such as they are. */
export interface DocumentBytes extends AsyncIterable<Uint8Array> {
  /** How many of them are at hand. */
  readonly readableLength: number;
  /** Nobody will read the rest. */
  destroy(error?: Error): unknown;
  /** When they have been read or given up. */
  once(event: 'close', listener: () => void): unknown;
}

/** The bytes of a document, on their way. */
export interface OpenDocument {
  /** What the store says that is coming; null when it does not say. */
  readonly omvang: number | null;
  /** Ends with an error when the store breaks off, asks for no more while nobody reads; to be destroyed when nobody will. */
  readonly bytes: DocumentBytes;
}

/**
 * Where documents are kept (uploads.md). Every method throws `UpstreamError` and nothing else when there is no answer.
 * The promises are those of `test/ports/documents.test.ts`, which every adapter runs.
 */
export interface Documents {
  /**
   * Keeps a document once, however often it is tried: what is there already under its `identificatie`, with the same size and
   * hash, is taken for it. Returns when the store has confirmed all of it. A throw that is not `undone` leaves open whether it is there.
   */
  put(document: NewDocument, call: Call): Promise<StoredDocument>;
  /** The whole document with this `identificatie`, or null: there is none. */
  find(identificatie: string, call: Call): Promise<StoredDocument | null>;
  /** What the store says of a document, or null: it is not there. */
  stat(key: string, call: Call): Promise<StoredDocument | null>;
  /** Begins to read a document, or null: it is not there. The call's deadline is that of the first byte. */
  open(key: string, call: Call): Promise<OpenDocument | null>;
  /**
   * Removes a document. `absent` is as good as `deleted`; `in-use`: the store will not, as others refer to it.
   * `reason` goes into the store's own audit trail, and names nobody.
   */
  delete(key: string, reason: string, call: Call): Promise<'deleted' | 'absent' | 'in-use'>;
}
