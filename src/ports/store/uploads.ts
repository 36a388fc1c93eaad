import type { Claim } from './claim.ts';

/** One uploaded file and its state, from the start of the upload until its deletion. */
export interface Upload {
  /** Id of the document for clients. The id in the document store is derived from it. */
  readonly documentId: string;
  readonly owner: string;
  /** The last attempt to upload began in this workspace. */
  readonly workspace: string;
  readonly wizardId: string;
  /** Chosen by the client, unique for one owner in one wizard (form of a portal). */
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
 * In progress (`pending`), stored (`uploaded`), refused by a check (`rejected`), ended without a known result (`lost`),
 * or being deleted (`deleting`).
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

/** The uploads of all owners. One of another owner counts as absent, except where a method says otherwise. */
export interface UploadStore {
  /**
   * Claims the name of an upload before the file is received, at `at` (milliseconds since 1970). Returns the new
   * upload, or the existing one, which is not claimed when it is `uploaded`. An existing upload keeps its document id.
   * Returns null when the name cannot be claimed now.
   */
  claim(name: UploadKey, upload: NewUpload, claim: Claim, at: number): Promise<Upload | null>;
  /**
   * Moves the end of a claim to `until`, in milliseconds since 1970. Returns false when the caller no longer has the
   * claim.
   */
  renew(name: UploadKey, token: string, until: number): Promise<boolean>;
  /**
   * Stores the metadata of a file, before it is sent to the document store. Returns `quota` when the file exceeds the
   * quota of its owner, and `lapsed` when the caller no longer has the claim.
   */
  receive(name: UploadKey, token: string, file: ReceivedFile, quota: Quota): Promise<'received' | 'quota' | 'lapsed'>;
  /**
   * Sets an upload to `uploaded`, because the document store confirmed it, and ends the claim. Returns false when the
   * caller no longer has the claim. The change survives a power failure.
   */
  settle(name: UploadKey, token: string, key: string): Promise<boolean>;
  /**
   * Sets an upload to `rejected`, removes the metadata of its file, and ends the claim. Does nothing when the caller no
   * longer has the claim.
   */
  reject(name: UploadKey, token: string): Promise<void>;
  /**
   * Ends the claim on a failed upload. Deletes the upload, unless its file may be in the document store. `how` says
   * what happened to the file in this attempt.
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
   * Claims a document for deletion. Returns `linked` when a request that was or is being submitted refers to it; with
   * `even: 'linked'` that is no obstacle. Returns `absent` when this owner has no such `uploaded` document.
   */
  beginDelete(owner: string, documentId: string, claim: Claim, even?: 'linked'): Promise<Upload | 'absent' | 'linked'>;
  /** Deletes the upload, after the document store deleted its document. Does nothing without the claim. */
  endDelete(documentId: string, token: string): Promise<void>;
  /**
   * The document store certainly did not delete the document: it is `uploaded` again. Changes nothing when the caller
   * no longer has the claim.
   */
  cancelDelete(documentId: string, token: string): Promise<void>;
  /** Turns documents of this owner to which no application refers into leftovers, and returns those. */
  abandon(owner: string, documentIds: readonly string[]): Promise<readonly Leftover[]>;
  /** Deletes a leftover, after its document was deleted from the document store. */
  removed(documentId: string): Promise<void>;
}

/** What the sweeper uses. A store in a page, which ends with its documents, has no sweeper. */
export interface LeftoverStore extends Pick<UploadStore, 'removed'> {
  /**
   * Returns at most `max` leftovers, oldest first. Before that, it turns uploads that began before `orphans` and that
   * no application uses into leftovers. One without a key is returned only when it became one before `doubts`: the
   * document store may still be storing it. Times are in milliseconds since 1970 by the clock of this process, and are
   * converted to the store's.
   */
  sweep(before: { orphans: number; doubts: number }, max: number): Promise<readonly Leftover[]>;
  /** Puts a leftover after all others, because its document could not be deleted. */
  postpone(documentId: string): Promise<void>;
  /**
   * Reserves a background job for `holder` until `until`, in milliseconds since 1970. Returns false when another
   * process has it.
   */
  lease(job: string, holder: string, until: number): Promise<boolean>;
}
