import type { Claim } from './claim.ts';

/** One file that somebody hands over, from its first byte until it is gone. */
export interface Upload {
  /** What the interface calls `documentId`; the store of documents has it as `identificatie`. */
  readonly documentId: string;
  readonly owner: string;
  readonly wizardId: string;
  /** The client's own id for it; unique for one owner in one wizard. */
  readonly localId: string;
  readonly categoryId: string;
  readonly state: UploadState;
  /** Media type, clean name, bytes and hash; null until the file has been received. */
  readonly formaat: string | null;
  readonly bestandsnaam: string | null;
  readonly omvang: number | null;
  readonly sha256: string | null;
  /** Key in the store of documents; null until that has confirmed it. */
  readonly key: string | null;
  /** Whether the store of documents may have it although it has not confirmed it. */
  readonly perhapsStored: boolean;
  /** Whether a request that was handed in refers to it. */
  readonly linked: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * `pending`: somebody is at work on it. `lost`: nobody is, and it is not known to be stored. `deleting`: being removed from
 * the store of documents.
 */
export type UploadState = 'pending' | 'uploaded' | 'rejected' | 'lost' | 'deleting';

/** What distinguishes an upload, for its owner. */
export type UploadName = Pick<Upload, 'owner' | 'wizardId' | 'localId'>;

/** What is known of a file once it has been received and checked. */
export type ReceivedFile = Pick<Upload, 'documentId'> & {
  readonly formaat: string;
  readonly bestandsnaam: string;
  readonly omvang: number;
  readonly sha256: string;
};

/** Most that one owner may have waiting in one wizard: requests that were handed in no longer count. */
export interface Quota {
  readonly documents: number;
  readonly bytes: number;
}

/** A document that may be in the store of documents and belongs to nobody any more. */
export interface Leftover {
  readonly documentId: string;
  readonly key: string | null;
  readonly since: number;
}

/**
 * Who has handed over which file, and how far that has come. Each method is one atomic change, the same on every engine.
 * Someone else's upload is absent.
 */
export interface UploadStore {
  /**
   * Takes the place of a name for a file that comes in, whose time begins now. Gives the upload as it was found: `uploaded`
   * (nothing was taken; the same file may be on its way again), `rejected`, `lost`, or the new one; null when somebody else is at work on it. `at`: milliseconds since 1970.
   */
  claim(name: UploadName, categoryId: string, documentId: string, claim: Claim, at: number): Promise<Upload | null>;
  /** Makes a claim last until another moment. False: another has it, or nobody has. Milliseconds since 1970. */
  renew(name: UploadName, token: string, until: number): Promise<boolean>;
  /**
   * Notes what is about to be stored, for whom the claim holds. What an earlier try may have stored under another id becomes a
   * leftover. `quota`: there is no room for it; of many files that are received at the same time, also by other processes,
   * no more are taken than there is room for.
   */
  receive(name: UploadName, token: string, file: ReceivedFile, quota: Quota): Promise<'received' | 'quota' | 'lapsed'>;
  /** The store of documents has it. False: the claim has lapsed. Survives a power cut once it returns. */
  settle(name: UploadName, token: string, key: string): Promise<boolean>;
  /** It will not be taken, and the owner can see so. */
  reject(name: UploadName, token: string): Promise<void>;
  /**
   * Nobody is at work on it any more. `unreceived`: it is as it was found; `not-stored`: nothing is left of it;
   * `perhaps-stored`: the store of documents may have it.
   */
  release(name: UploadName, token: string, how: 'unreceived' | 'not-stored' | 'perhaps-stored'): Promise<void>;

  /** Everything of one owner, the newest first; or what has one of these client's ids. */
  list(owner: string, localIds?: readonly string[]): Promise<readonly Upload[]>;
  /** The uploads of one owner among these documents. */
  named(owner: string, documentIds: readonly string[]): Promise<readonly Upload[]>;
  /** The upload of a document, of whoever it is; where each workspace has people of its own, of whoever in that one. */
  find(documentId: string, workspace: string): Promise<Upload | null>;

  /** A request refers to these documents from now on. False, and nothing changed: not all are there, uploaded and the owner's. */
  link(owner: string, documentIds: readonly string[], applicationId: string): Promise<boolean>;
  /** The request was not made after all. */
  unlink(owner: string, applicationId: string): Promise<void>;

  /** Begins a deletion of what is uploaded. `linked`: a request refers to it, and `even` does not say that this does not matter. */
  beginDelete(owner: string, documentId: string, claim: Claim, even?: 'linked'): Promise<Upload | 'absent' | 'linked'>;
  /** The store of documents no longer has it: nothing is left of it. */
  endDelete(documentId: string, token: string): Promise<void>;
  /** The store of documents would not, or was not there: it is uploaded again. */
  cancelDelete(documentId: string, token: string): Promise<void>;
  /** Lets go of those documents to which no application of the owner refers. They become leftovers, which are returned. */
  abandon(owner: string, documentIds: readonly string[]): Promise<readonly Leftover[]>;

  /**
   * Makes leftovers of what no application refers to and came before `orphans`, and of deletions and tries that nobody is at
   * work on; then gives at most `most`, the oldest first: those with a key, and those that may still have been on their way
   * when they were left if that was before `doubts`. Milliseconds since 1970.
   */
  sweep(before: { orphans: number; doubts: number }, most: number): Promise<readonly Leftover[]>;
  /** The store of documents does not have it. */
  removed(documentId: string): Promise<void>;
  /** Whether this process may do a job now: of all processes one at a time may. Milliseconds since 1970. */
  lease(job: string, holder: string, until: number): Promise<boolean>;
}
