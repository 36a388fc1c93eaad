import type { ApplicationTag, ApplicationType } from '../wire/values.ts';
import type { BriefStore } from './brief-store.ts';
import type { Claim } from './claim.ts';
import type { RateStore } from './rates.ts';
import type { UploadStore } from './uploads.ts';

/** An application without its draft, for lists. Timestamps are texts: RFC 3339 in UTC with milliseconds. */
export interface ApplicationSummary {
  readonly id: string;
  readonly owner: string;
  readonly type: ApplicationType;
  /**
   * The status. `Pending` is never shown to clients: a request without a draft that was sent to the register and that
   * the register has not confirmed.
   */
  readonly tag: ApplicationTag | 'Pending';
  /** Increases by one with every change. Used for the ETag. */
  readonly version: number;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
  readonly referentie: string | null;
  readonly manual: boolean | null;
  readonly reden: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly submittedAt: string | null;
  /** Idempotency key of the last submission to the register; null when the register certainly did not receive it. */
  readonly sentKey: string | null;
  /** Hash of the content that was sent with `sentKey`. */
  readonly sentHash: string | null;
  /**
   * Time of the last submission, in milliseconds since 1970 by the store's clock. Compare it only with a value that was
   * read earlier, to see whether there was a new submission.
   */
  readonly sentAt: number | null;
  /** True while a submission has claimed the application. */
  readonly claimed: boolean;
}

/** An application with its draft. */
export interface Application extends ApplicationSummary {
  /** The draft as JSON text, byte for byte as the client sent it; null when there is none. */
  readonly draft: string | null;
}

/** The members of an application that are replaced when its draft is saved. */
export interface DraftContent {
  readonly draft: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
}

/**
 * The reason why an application was not changed. `absent`: this owner has no such application; `busy`: a submission has
 * claimed it; `in-doubt`: it was sent to the register and not confirmed; `submitted`: it is no longer a Concept;
 * `stale`: its version is not one of the expected ones.
 */
export type Unchanged = 'absent' | 'busy' | 'in-doubt' | 'submitted' | 'stale';

/** The data of the register's confirmation that are stored with an application. `at` is a timestamp (RFC 3339, UTC). */
export interface Settlement {
  readonly referentie: string;
  readonly manual: boolean;
  readonly at: string;
}

/** The idempotency key and the content hash of one submission to the register. */
export interface Submission {
  readonly sentKey: string;
  readonly sentHash: string;
}

/**
 * The store of the applications of all owners, including drafts. Each method is one atomic change and behaves the same
 * on every database engine: conditional updates instead of locks. An application of another owner is reported as
 * absent.
 *
 * A submission *claims* an application, so that nothing else changes it; a claim ends by itself when its process dies.
 * An application that was sent and not confirmed is *in doubt*: it keeps its key and its content, and its owner cannot
 * send another request of that type, until the register confirms it or it is forgotten. An owner can have one request
 * of each type that is in doubt or InBehandeling.
 */
export interface ApplicationStore {
  /** Returns all applications of an owner, the most recently changed first. */
  list(owner: string): Promise<readonly ApplicationSummary[]>;
  /**
   * Returns the owner's applications that are InBehandeling, or were sent to the register without a confirmation (in
   * doubt).
   */
  open(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Returns one application with its draft; null when this owner has no such application. */
  find(owner: string, id: string): Promise<Application | null>;
  /**
   * Adds a new Concept; changes nothing when its id exists. Returns false, and adds nothing, when the owner has `most`
   * Concepts. The limit also holds for concurrent calls.
   */
  add(application: NewApplication, most?: number): Promise<boolean>;
  /**
   * Adds a claimed Pending request before it is sent to the register. Returns false, and adds nothing, when the owner
   * has a request of the same type that is in doubt or InBehandeling.
   */
  addPending(application: NewApplication, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Claims a Pending request that is in doubt, to send it again. Returns false when it is claimed, no longer exists, or
   * was sent again after `sentAt`.
   */
  adopt(id: string, sentAt: number | null, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Replaces the draft of a Concept; `at` is the timestamp of the change. Returns the new version, or the reason why
   * nothing was changed. With `ifVersions` the draft is replaced only when the current version is in that list.
   */
  sync(
    owner: string,
    id: string,
    content: DraftContent,
    at: string,
    ifVersions?: readonly number[],
  ): Promise<number | Unchanged>;
  /** Deletes a Concept, or returns the reason why it was not deleted. */
  remove(owner: string, id: string): Promise<'removed' | Unchanged>;
  /** Claims a Concept, also when it is in doubt, and returns it; or returns the reason why it was not claimed. */
  claim(owner: string, id: string, claim: Claim): Promise<Application | Unchanged>;
  /**
   * Stores the submission of a claimed Concept with its documents, before it is sent to the register. Returns false,
   * and changes nothing, when the claim has ended or the owner has a request of the same type in doubt or
   * InBehandeling.
   */
  send(id: string, token: string, sending: Submission, documentIds: readonly string[]): Promise<boolean>;
  /** Releases a claim. An application for which `send` was called is then in doubt. */
  release(id: string, token: string): Promise<void>;
  /**
   * Removes a submission that the register certainly did not receive: a Concept can be changed again, a Pending request
   * is deleted. `known` identifies the submission by the token of the caller's claim or by the `sentAt` that the caller
   * read, so that a later submission is not removed. With `silentFor`, removes it only when `sentAt` is at least that
   * many milliseconds ago. Returns false when nothing was changed.
   */
  forget(
    id: string,
    known: { readonly token: string } | { readonly sentAt: number | null; readonly silentFor?: number },
  ): Promise<boolean>;
  /**
   * Sets an application to InBehandeling, because the register confirmed it. With `sent`, creates the application again
   * when it was deleted meanwhile. Returns false when it was already InBehandeling. The change is durable: it survives
   * a power failure.
   */
  settle(id: string, settlement: Settlement, sent?: SentApplication): Promise<boolean>;
  /** Removes a document that is deleted from every application of its owner that lists it, in any state. */
  dropDocument(owner: string, documentId: string): Promise<void>;
  /** Stores the register's decision on an application that is InBehandeling; changes no other application. */
  decide(id: string, decision: { tag: 'Goedgekeurd' | 'Afgewezen'; reden: string | null; at: string }): Promise<void>;
}

/** The content and the submission of a request that was sent to the register. */
export interface SentApplication {
  readonly application: NewApplication;
  readonly sending: Submission;
}

/** The members of a new application; the store sets the other members. */
export type NewApplication = Pick<Application, 'id' | 'owner' | 'type' | 'createdAt'> & Partial<DraftContent>;

/**
 * The error of a store that cannot be reached or is too slow; the message gives the cause. It is unknown whether the
 * requested change was made.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The stored answer to a successful request. A retry with the same idempotency key gets this answer. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The state of an idempotency key at the start of a request with that key. */
export type OpenedKey =
  /**
   * The caller must carry out the request, and use `id` for the object that it creates. `retry` is true when an earlier
   * attempt ended without an answer.
   */
  | { readonly state: 'open'; readonly id: string; readonly retry: boolean }
  /** The request was carried out before; the caller must return `answer`. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** Another request with this key is in progress. */
  | { readonly state: 'busy' }
  /** The key was used for a different request. */
  | { readonly state: 'other' };

/** The store of idempotency keys. Each key belongs to one owner and one request, and is kept for a day. */
export interface KeyStore {
  /**
   * Claims a key for a request and returns the key's state. `fingerprint` is a hash of the request. `id` is for the
   * object that the request creates, when the key is new. `until` is the end of the claim, in milliseconds since 1970.
   */
  open(owner: string, key: string, fingerprint: string, id: string, until: number): Promise<OpenedKey>;
  /** Stores the answer to the request and ends the claim on the key. */
  keep(owner: string, key: string, answer: StoredAnswer): Promise<void>;
  /** Ends the claim on a key without an answer: the next request with this key is a retry. */
  release(owner: string, key: string): Promise<void>;
  /** Deletes a key without an answer, so that a different request can use it. The caller must have the claim. */
  forget(owner: string, key: string): Promise<void>;
}

/** The database of the service. Every method throws `StoreUnavailable` when the database cannot be reached. */
export interface Store {
  readonly applications: ApplicationStore;
  readonly keys: KeyStore;
  readonly uploads: UploadStore;
  readonly brieven: BriefStore;
  readonly rates: RateStore;
  /** Checks the connection. Throws `StoreUnavailable` when the database cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
