import type { Claim } from './claim.ts';

/** One uploaded file and its state, from the start of the upload until it is deleted. */
export interface Upload {
  /** `documentId` of the interface specification; `identificatie` in the document store. */
  readonly documentId: string;
  readonly owner: string;
  readonly wizardId: string;
  /** Id that the client chose; unique for one owner in one wizard. */
  readonly localId: string;
  readonly categoryId: string;
  readonly state: UploadState;
  /**
   * Media type. This and the three below (sanitised file name, size in bytes, hash) are null until the file is
   * received.
   */
  readonly formaat: string | null;
  readonly bestandsnaam: string | null;
  readonly omvang: number | null;
  readonly sha256: string | null;
  /** Key in the document store; null until that store has confirmed the file. */
  readonly key: string | null;
  /** True when the document store may have the file, but has not confirmed it. */
  readonly perhapsStored: boolean;
  /** True when a submitted request refers to it. */
  readonly linked: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * State of an upload. `pending`: claimed by a process; `uploaded`: stored; `rejected`: refused by a check; `lost`: not
 * claimed and not known to be stored; `deleting`: being deleted from the document store.
 */
export type UploadState = 'pending' | 'uploaded' | 'rejected' | 'lost' | 'deleting';

/** The key of an upload: unique for its owner. */
export type UploadKey = Pick<Upload, 'owner' | 'wizardId' | 'localId'>;

/** The data of a file that has been received and checked. */
export type ReceivedFile = Pick<Upload, 'documentId'> & {
  readonly formaat: string;
  readonly bestandsnaam: string;
  readonly omvang: number;
  readonly sha256: string;
};

/**
 * Maximum number and total bytes of the uploads of one owner in one wizard. Uploads of a submitted request do not
 * count.
 */
export interface Quota {
  readonly documents: number;
  readonly bytes: number;
}

/**
 * A document that may still be in the document store although no upload refers to it, and that must be deleted there.
 * `key` is null when the store did not confirm it; `since` is in milliseconds since 1970.
 */
export interface Leftover {
  readonly documentId: string;
  readonly key: string | null;
  readonly since: number;
}

/**
 * Stores the uploads of all owners and their state. Each method is one atomic change and behaves the same on every
 * database engine. An upload of another owner is reported as absent.
 */
export interface UploadStore {
  /**
   * Claims a name for a file that comes in, and creates the upload when the name is new. Returns the upload as it was
   * before: `uploaded` (then nothing is claimed: the client may have sent the same file again), `rejected`, `lost`, or
   * the new one. Null when the name is claimed already. `at`: the current time in milliseconds since 1970.
   */
  claim(name: UploadKey, categoryId: string, documentId: string, claim: Claim, at: number): Promise<Upload | null>;
  /** Extends a claim to `until`, in milliseconds since 1970. Returns false when the caller no longer has the claim. */
  renew(name: UploadKey, token: string, until: number): Promise<boolean>;
  /**
   * Stores the data of the received file before it goes to the document store. A document that an earlier attempt may
   * have stored under another id becomes a leftover. Returns `quota` when the file does not fit in the quota, which
   * also holds for concurrent uploads and over all processes; `lapsed` when the caller no longer has the claim.
   */
  receive(name: UploadKey, token: string, file: ReceivedFile, quota: Quota): Promise<'received' | 'quota' | 'lapsed'>;
  /**
   * Sets an upload to `uploaded`, because the document store has confirmed it. Returns false when the claim has lapsed.
   * Durable: survives a power failure once it returns.
   */
  settle(name: UploadKey, token: string, key: string): Promise<boolean>;
  /** Sets an upload to `rejected`, which its owner can see, and releases the claim. */
  reject(name: UploadKey, token: string): Promise<void>;
  /**
   * Releases a claim without a result. `unreceived`: deletes the upload, unless an earlier attempt may have stored its
   * file; `not-stored`: deletes the upload; `perhaps-stored`: keeps it, because the document store may have the file.
   */
  release(name: UploadKey, token: string, how: 'unreceived' | 'not-stored' | 'perhaps-stored'): Promise<void>;

  /** Returns the uploads of an owner, the newest first; with `localIds`, only those with one of these client ids. */
  list(owner: string, localIds?: readonly string[]): Promise<readonly Upload[]>;
  /** Returns those of the given documents that are uploads of this owner. */
  named(owner: string, documentIds: readonly string[]): Promise<readonly Upload[]>;
  /**
   * Returns the upload of a document of any owner, for staff; null when there is none. In the simulator only owners in
   * this workspace count.
   */
  find(documentId: string, workspace: string): Promise<Upload | null>;

  /**
   * Links documents to an application. Returns false, without a change, unless all of them are uploads of this owner
   * with state `uploaded`.
   */
  link(owner: string, documentIds: readonly string[], applicationId: string): Promise<boolean>;
  /** Removes the links to an application whose request was not made. */
  unlink(owner: string, applicationId: string): Promise<void>;

  /**
   * Claims an uploaded document for deletion and returns it. Returns `linked`, without a change, when an application
   * refers to it, unless `even` is `'linked'`.
   */
  beginDelete(owner: string, documentId: string, claim: Claim, even?: 'linked'): Promise<Upload | 'absent' | 'linked'>;
  /** Deletes the upload, because the document store no longer has the document. */
  endDelete(documentId: string, token: string): Promise<void>;
  /** Sets the upload back to `uploaded`, because the document store refused the deletion or could not be reached. */
  cancelDelete(documentId: string, token: string): Promise<void>;
  /**
   * Turns those of the documents to which no application of the owner refers into leftovers, and returns these
   * leftovers.
   */
  abandon(owner: string, documentIds: readonly string[]): Promise<readonly Leftover[]>;

  /**
   * Finds documents to delete from the document store. Turns into leftovers: uploads from before `orphans` to which no
   * application refers, and deletions and attempts whose claim has lapsed. Then returns at most `most` leftovers, the
   * oldest first: all those with a key, and those without one (the document store may still have been writing them)
   * from before `doubts`. Times are in milliseconds since 1970.
   */
  sweep(before: { orphans: number; doubts: number }, most: number): Promise<readonly Leftover[]>;
  /** Deletes a leftover, because the document store does not have the document. */
  removed(documentId: string): Promise<void>;
  /**
   * Takes or extends the lease on a job until `until`, in milliseconds since 1970. Returns false when another process
   * holds it.
   */
  lease(job: string, holder: string, until: number): Promise<boolean>;
}
