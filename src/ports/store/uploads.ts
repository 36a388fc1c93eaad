import type { Claim } from './claim.ts';

/** One uploaded file and its state, from the start of the upload until it is deleted. */
export interface Upload {
  /** Id of the document for clients. The document's `identificatie` in the document store is derived from this id. */
  readonly documentId: string;
  readonly owner: string;
  readonly wizardId: string;
  /** Id that the client chose for the upload. It is unique for one owner in one wizard (form of a portal). */
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
  /**
   * True from just before the file is sent to the document store until the document store confirms it. It is then
   * unknown whether the file is stored.
   */
  readonly perhapsStored: boolean;
  /** True when a request that was submitted, or is being submitted, refers to the document. */
  readonly linked: boolean;
  /** Time at which the last attempt to upload began, in milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * The state of an upload. `pending`: in progress, and claimed (temporarily locked) by a process. `uploaded`: stored.
 * `rejected`: refused by a check. `lost`: the attempt ended without a result, and it is unknown whether the file is
 * stored. `deleting`: being deleted.
 */
export type StoredUploadState = 'pending' | 'uploaded' | 'rejected' | 'lost' | 'deleting';

/** The name of an upload: the combination of its owner, wizard and client id is unique. */
export type UploadKey = Pick<Upload, 'owner' | 'wizardId' | 'localId'>;

/** The values of the file members of an upload whose file has not been received: all null. */
export const NO_FILE = { formaat: null, bestandsnaam: null, omvang: null, sha256: null, key: null } as const;

/** The data of a file that has been received and checked. */
export type ReceivedFile = Pick<Upload, 'documentId'> & {
  readonly formaat: string;
  readonly bestandsnaam: string;
  readonly omvang: number;
  readonly sha256: string;
};

/**
 * The limits on the uploads of one owner in one wizard: the number of documents and the total number of bytes.
 * Documents to which a submitted request refers do not count.
 */
export interface Quota {
  readonly documents: number;
  readonly bytes: number;
}

/**
 * A document that must be deleted from the document store, where it may exist, and that no longer has an upload. `key`
 * is null when the document store did not confirm the document. `since` is the time at which the upload was removed, in
 * milliseconds since 1970.
 */
export interface Leftover {
  readonly documentId: string;
  readonly key: string | null;
  readonly since: number;
}

/**
 * The store of the uploads of all owners. Changes are conditional statements, so that two processes never overwrite
 * each other's changes. Each method has the same effect on every database engine. An upload of another owner is
 * reported as absent.
 */
export interface UploadStore {
  /**
   * Claims the name of an upload before its file is received. Returns a new upload with `documentId`, or the existing
   * upload with this name as it was before the claim, with `categoryId` replaced. An existing upload in the state
   * `uploaded` is returned unchanged and not claimed, because the client may send the same file again. Returns null
   * when another request has claimed the name or the upload is being deleted. `at` is the time of the attempt, in
   * milliseconds since 1970.
   */
  claim(name: UploadKey, categoryId: string, documentId: string, claim: Claim, at: number): Promise<Upload | null>;
  /**
   * Moves the end of a claim to `until`, in milliseconds since 1970. Returns false when the caller no longer has the
   * claim.
   */
  renew(name: UploadKey, token: string, until: number): Promise<boolean>;
  /**
   * Stores the metadata of a received file before the file is sent to the document store. When an earlier attempt may
   * have stored a document under another id, that document becomes a leftover, to be deleted later. Returns `quota`
   * when the file does not fit in the quota of its owner, which counts the uploads by all processes. Returns `lapsed`
   * when the caller no longer has the claim.
   */
  receive(name: UploadKey, token: string, file: ReceivedFile, quota: Quota): Promise<'received' | 'quota' | 'lapsed'>;
  /**
   * Sets an upload to `uploaded`, because the document store confirmed the document under `key`, and releases the
   * claim. Returns false when the caller no longer has the claim. The change survives a power failure.
   */
  settle(name: UploadKey, token: string, key: string): Promise<boolean>;
  /**
   * Sets an upload to `rejected`, a state that its owner can see, removes the metadata of the file, and releases the
   * claim. Changes nothing when the caller no longer has the claim.
   */
  reject(name: UploadKey, token: string): Promise<void>;
  /**
   * Releases the claim of a failed upload; `how` says what happened to the file. `unreceived` (the file did not arrive)
   * deletes the upload, unless an earlier attempt may have stored its file. `perhaps-stored` keeps the upload, because
   * its file may be stored.
   */
  release(name: UploadKey, token: string, how: 'unreceived' | 'perhaps-stored'): Promise<void>;

  /**
   * Returns an owner's uploads, newest first. With `localIds`, returns only the uploads with one of these client ids.
   */
  list(owner: string, localIds?: readonly string[]): Promise<readonly Upload[]>;
  /** Returns the uploads of this owner with one of these document ids. */
  named(owner: string, documentIds: readonly string[]): Promise<readonly Upload[]>;
  /**
   * Returns the upload with this document id, whoever its owner is; for staff. Returns null when there is no such
   * upload. In the simulator, only owners in this workspace are searched.
   */
  find(documentId: string, workspace: string): Promise<Upload | null>;

  /**
   * Links documents to an application. Returns true when all of them are uploads of this owner in the state `uploaded`,
   * and for an empty list. Otherwise returns false and adds no link; links that exist already stay.
   */
  link(owner: string, documentIds: readonly string[], applicationId: string): Promise<boolean>;
  /** Removes the links between documents and an application that was not submitted. */
  unlink(owner: string, applicationId: string): Promise<void>;

  /**
   * Claims an uploaded document for deletion, sets its state to `deleting`, and returns its upload. Returns `absent`
   * when this owner has no such document in the state `uploaded`. Returns `linked`, and changes nothing, when an
   * application that was submitted, or is being submitted, refers to the document. With `even: 'linked'`, a document to
   * which an application refers is claimed too.
   */
  beginDelete(owner: string, documentId: string, claim: Claim, even?: 'linked'): Promise<Upload | 'absent' | 'linked'>;
  /**
   * Deletes the upload, after its document was deleted from the document store. Changes nothing when the caller no
   * longer has the claim.
   */
  endDelete(documentId: string, token: string): Promise<void>;
  /**
   * Sets the upload back to `uploaded`, because the document store certainly did not delete the document.
   * Changes nothing when the caller no longer has the claim.
   */
  cancelDelete(documentId: string, token: string): Promise<void>;
  /**
   * Changes stored documents into leftovers (documents to be deleted), and returns those leftovers. Of the given
   * documents it takes only those of this owner to which no application refers.
   */
  abandon(owner: string, documentIds: readonly string[]): Promise<readonly Leftover[]>;

  /**
   * Returns at most `most` leftovers that can now be deleted from the document store, oldest first. A leftover without
   * a key is returned only when it is from before `doubts`, because the document store may still be storing it. Before
   * that, it changes into leftovers: deletions whose claim has ended (and removes their documents from the applications
   * that list them), stored documents from before `orphans` to which no application refers, and unfinished uploads from
   * before both moments whose claim has ended. It also deletes rejected uploads from before `orphans`. `orphans` and `doubts` are in milliseconds since 1970.
   */
  sweep(before: { orphans: number; doubts: number }, most: number): Promise<readonly Leftover[]>;
  /** Deletes a leftover, after its document was deleted from the document store. */
  removed(documentId: string): Promise<void>;
  /**
   * Takes or extends the lease (temporary lock) on a background job until `until`, in milliseconds since 1970. Returns
   * false when another process has the lease.
   */
  lease(job: string, holder: string, until: number): Promise<boolean>;
}
