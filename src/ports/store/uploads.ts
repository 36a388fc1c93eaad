import type { Claim } from './claim.ts';

/** One uploaded file and its state, from the start of the upload until its deletion. */
export interface Upload {
  /** Id of the document for clients. The id in the document store is derived from it. */
  readonly documentId: string;
  readonly owner: string;
  /** Name of the tenant in which the last attempt to upload began (see `Professional`). */
  readonly workspace: string;
  readonly wizardId: string;
  /** Id that the client chose for the upload, unique for one owner in one wizard (form of a portal). */
  readonly localId: string;
  readonly categoryId: string;
  readonly state: StoredUploadState;
  /** Media type, detected from the content; null until the file has been received. */
  readonly formaat: string | null;
  /** Sanitised file name; null until the file has been received. */
  readonly bestandsnaam: string | null;
  /** Size in bytes; null until the file has been received. */
  readonly omvang: number | null;
  /** SHA-256 of the content, hexadecimal; null until the file has been received. */
  readonly sha256: string | null;
  /** Key of the document in the document store; null until the document store has confirmed the file. */
  readonly key: string | null;
  /** True when the file may be in the document store, but the document store has not confirmed it. */
  readonly perhapsStored: boolean;
  /** Time at which the last attempt to upload began, in milliseconds since 1970 by the clock of the store. */
  readonly createdAt: number;
}

/**
 * The state of an upload: in progress (`pending`), stored (`uploaded`), refused by a check (`rejected`), ended without
 * a known result (`lost`), or being deleted (`deleting`).
 */
export type StoredUploadState = 'pending' | 'uploaded' | 'rejected' | 'lost' | 'deleting';

/** The unique name of an upload: owner, wizard (form of a portal) and the client's id for the upload. */
export type UploadKey = Pick<Upload, 'owner' | 'wizardId' | 'localId'>;

/** The members of a new upload that the caller chooses, besides its name. */
export type NewUpload = Pick<Upload, 'workspace' | 'categoryId' | 'documentId'>;

/** The file members of an upload whose file has not been received: all null. */
export const NO_FILE = { formaat: null, bestandsnaam: null, omvang: null, sha256: null, key: null } as const;

/** The data of a file that was received and checked. */
export type ReceivedFile = Pick<Upload, 'documentId'> & {
  readonly formaat: string;
  readonly bestandsnaam: string;
  readonly omvang: number;
  readonly sha256: string;
};

/** The limits on one owner's uploads in one wizard (form of a portal). Documents of submitted requests do not count. */
export interface Quota {
  readonly documents: number;
  readonly bytes: number;
}

/** A document without an upload, which must be deleted from the document store. */
export interface Leftover {
  readonly documentId: string;
  /** Key of the document in the document store; null when the document may be absent there. */
  readonly key: string | null;
}

/**
 * The store of the uploads of all owners. An upload of another owner counts as absent, except where a method says
 * otherwise.
 */
export interface UploadStore {
  /**
   * Claims the name of an upload (locks it for a limited time) before the file is received, at time `at` (milliseconds
   * since 1970). Returns the new upload, or the existing one, which is not claimed when it is `uploaded` already.
   * Returns null when the name cannot be claimed now. An existing upload keeps its document id.
   */
  claim(name: UploadKey, upload: NewUpload, claim: Claim, at: number): Promise<Upload | null>;
  /**
   * Moves the end of a claim (lock) on an upload to `until`, in milliseconds since 1970. Returns false when the caller
   * no longer has the claim.
   */
  renew(name: UploadKey, token: string, until: number): Promise<boolean>;
  /**
   * Stores the metadata of a received file, before the file is sent to the document store. Returns `quota` when the
   * file exceeds the quota of its owner, and `lapsed` when the caller no longer has the claim (lock) on the upload.
   */
  receive(name: UploadKey, token: string, file: ReceivedFile, quota: Quota): Promise<'received' | 'quota' | 'lapsed'>;
  /**
   * Sets an upload to `uploaded`, because the document store confirmed the document, and ends the claim. Returns false
   * when the caller no longer has the claim (lock). The change survives a power failure.
   */
  settle(name: UploadKey, token: string, key: string): Promise<boolean>;
  /**
   * Sets an upload to `rejected`, removes the metadata of its file, and ends the claim. Does nothing when the caller no
   * longer has the claim (lock).
   */
  reject(name: UploadKey, token: string): Promise<void>;
  /**
   * Ends the claim (lock) on a failed upload. Deletes the upload when its file was not stored; keeps it when the file
   * may be in the document store. `how` says what happened to the file in this attempt.
   */
  release(name: UploadKey, token: string, how: 'unreceived' | 'perhaps-stored'): Promise<void>;

  /** Returns the uploads of an owner, newest first. With `localIds`, only the uploads with one of these client ids. */
  list(owner: string, localIds?: readonly string[]): Promise<readonly Upload[]>;
  /** Returns the uploads of this owner with one of these document ids. */
  named(owner: string, documentIds: readonly string[]): Promise<readonly Upload[]>;
  /** Returns the upload with this document id in this workspace, of any owner; null when there is none. */
  find(documentId: string, workspace: string): Promise<Upload | null>;

  /**
   * Links documents to an application. Returns false, and adds no link, when one of the documents is not an `uploaded`
   * document of this owner. `ApplicationStore.forget` removes the links.
   */
  link(owner: string, documentIds: readonly string[], applicationId: string): Promise<boolean>;

  /**
   * Claims (locks) a document for deletion, and returns its upload. Returns `linked` when a request that was or is
   * being submitted refers to the document; with `even: 'linked'` that is no obstacle. Returns `absent` when this owner
   * has no such `uploaded` document.
   */
  beginDelete(owner: string, documentId: string, claim: Claim, even?: 'linked'): Promise<Upload | 'absent' | 'linked'>;
  /**
   * Deletes an upload, after its document was deleted from the document store. Does nothing without the claim (lock).
   */
  endDelete(documentId: string, token: string): Promise<void>;
  /**
   * Sets the upload back to `uploaded`, because the document store certainly did not delete the document.
   * Changes nothing when the caller no longer has the claim.
   */
  cancelDelete(documentId: string, token: string): Promise<void>;
  /**
   * Turns documents of this owner to which no application refers into leftovers (documents to be deleted), and returns
   * those leftovers.
   */
  abandon(owner: string, documentIds: readonly string[]): Promise<readonly Leftover[]>;

  /**
   * Returns at most `max` leftovers (documents to be deleted from the document store), oldest first. Before that, it
   * turns uploads that began before `orphans` and that no application uses into leftovers. A leftover without a key is
   * returned only when it became one before `doubts`: the document store may still be storing it. Both times are in
   * milliseconds since 1970 by the clock of this process, and are converted to the store's.
   */
  sweep(before: { orphans: number; doubts: number }, max: number): Promise<readonly Leftover[]>;
  /** Deletes a leftover from this store, after its document was deleted from the document store. */
  removed(documentId: string): Promise<void>;
  /** Puts a leftover after all others, because its document could not be deleted from the document store. */
  postpone(documentId: string): Promise<void>;
  /**
   * Reserves a background job for one process (`holder`) until `until`, in milliseconds since 1970. Returns false when
   * another process has reserved it.
   */
  lease(job: string, holder: string, until: number): Promise<boolean>;
}
