import type { ApplicationTag, ApplicationType } from '../wire/values.ts';
import type { BriefStore } from './brief-store.ts';
import type { Claim } from './claim.ts';
import type { RateStore } from './rates.ts';
import type { UploadStore } from './uploads.ts';

/** An application without its draft, for lists. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface ApplicationSummary {
  readonly id: string;
  readonly owner: string;
  readonly type: ApplicationType;
  /**
   * `Pending` is internal and never shown: a request without a draft that was sent to the register and not yet
   * confirmed.
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
  /** Hash of the content that was sent with that key. */
  readonly sentHash: string | null;
  /**
   * Time of the last submission, in milliseconds since 1970 by the store's clock. Compare it only with an earlier value
   * of itself, to see whether it changed.
   */
  readonly sentAt: number | null;
  /** True while a submit has claimed it. */
  readonly claimed: boolean;
}

/** An application with its draft. */
export interface Application extends ApplicationSummary {
  /** The draft as JSON text, byte for byte as the client sent it; null when there is none. */
  readonly draft: string | null;
}

/** The members of an application that a draft sync replaces. */
export interface DraftContent {
  readonly draft: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
}

/**
 * Reason why an application was not changed. `absent`: this owner has no such application; `busy`: a submit has claimed
 * it; `in-doubt`: it was sent to the register and not confirmed; `submitted`: it is no longer a Concept; `stale`: its
 * version is not one of the expected ones.
 */
export type Unchanged = 'absent' | 'busy' | 'in-doubt' | 'submitted' | 'stale';

/** Data of the register's confirmation that are stored with an application. `at`: RFC 3339. */
export interface Settlement {
  readonly referentie: string;
  readonly manual: boolean;
  readonly at: string;
}

/** Idempotency key and content hash of one submission to the register. */
export interface Submission {
  readonly sentKey: string;
  readonly sentHash: string;
}

/**
 * Stores the applications of all owners, drafts included. Each method is one atomic change and behaves the same on
 * every database engine: conditional updates instead of locks. An application of another owner is reported as absent.
 *
 * A submit *claims* an application, so that nothing else changes it; a claim lapses by itself when its process dies. An
 * application that was sent and not confirmed is *in doubt*: it keeps its key and its content, and its owner cannot
 * send another request of that type, until the register confirms it or it is forgotten. An owner can have one request
 * of each type that is in doubt or InBehandeling.
 */
export interface ApplicationStore {
  /** Returns all applications of an owner, the most recently changed first. */
  list(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Returns the applications that are in doubt or InBehandeling. */
  open(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Returns one application with its draft; null when this owner has no such application. */
  find(owner: string, id: string): Promise<Application | null>;
  /**
   * Adds a new Concept; changes nothing when its id exists already. Returns false when the owner has `most` Concepts
   * already. The limit also holds for concurrent calls.
   */
  add(application: NewApplication, most?: number): Promise<boolean>;
  /**
   * Adds a claimed Pending request, which is about to be sent. Returns false when the owner already has a request of
   * its type that is in doubt or InBehandeling.
   */
  addPending(application: NewApplication, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Claims a Pending request that is in doubt since `sentAt`, to send it again. Returns false when it is claimed, was
   * sent again meanwhile, or no longer exists.
   */
  adopt(id: string, sentAt: number | null, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Replaces the draft of a Concept. Returns the new version, or the reason why it was not changed. With `ifVersions`,
   * changes it only when its current version is in that list.
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
   * Stores that a claimed Concept is about to be sent, with these documents. Returns false when the claim has lapsed,
   * or the owner already has a request of its type that is in doubt or InBehandeling.
   */
  send(id: string, token: string, sending: Submission, documentIds: readonly string[]): Promise<boolean>;
  /** Releases a claim. An application that `send` was called for is in doubt from then on. */
  release(id: string, token: string): Promise<void>;
  /**
   * Removes the traces of a submission that the register certainly did not receive: a Concept can be changed again, a
   * Pending request is deleted. `known` identifies the submission: by the caller's claim, or by the `sentAt` that the
   * caller read, so that a later submission is not removed. With `silentFor`, only when `sentAt` is at least so many
   * milliseconds ago. Returns false when nothing was changed.
   */
  forget(
    id: string,
    known: { readonly token: string } | { readonly sentAt: number | null; readonly silentFor?: number },
  ): Promise<boolean>;
  /**
   * Sets an application to InBehandeling, because the register confirmed it. The sender passes `sent`, from which the
   * application is created again when it was forgotten meanwhile. Returns false when it was InBehandeling already.
   * Durable: survives a power failure once it returns.
   */
  settle(id: string, settlement: Settlement, sent?: SentApplication): Promise<boolean>;
  /** Removes a document that is deleted from every application of its owner that lists it, in any state. */
  dropDocument(owner: string, documentId: string): Promise<void>;
  /** Stores the decision of the register. Changes only an application that is InBehandeling. */
  decide(id: string, decision: { tag: 'Goedgekeurd' | 'Afgewezen'; reden: string | null; at: string }): Promise<void>;
}

/** The content and the submission of a request, as its sender has them. */
export interface SentApplication {
  readonly application: NewApplication;
  readonly sending: Submission;
}

/** The members of an application that its creator sets. */
export type NewApplication = Pick<Application, 'id' | 'owner' | 'type' | 'createdAt'> & Partial<DraftContent>;

/**
 * The store is unavailable or too slow; the message gives the cause. It is unknown whether the requested change was
 * made.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The stored answer of a successful request, returned to a retry with the same idempotency key. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** State of an idempotency key when a request comes in with it. */
export type OpenedKey =
  /**
   * The caller must carry out the request; what it creates gets this id. `retry`: an earlier attempt gave no answer.
   */
  | { readonly state: 'open'; readonly id: string; readonly retry: boolean }
  /** The request was carried out before. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** Another request with this key is in flight. */
  | { readonly state: 'busy' }
  /** The key was used for a different request. */
  | { readonly state: 'other' };

/** Stores idempotency keys, each of one owner and for one request, with a TTL of a day. */
export interface KeyStore {
  /**
   * Claims a key for a request and returns its state. `fingerprint`: hash of the request; `id`: used when the key is
   * new, for what the request creates; `until`: end of the claim, in milliseconds since 1970.
   */
  open(owner: string, key: string, fingerprint: string, id: string, until: number): Promise<OpenedKey>;
  /** Stores the answer of the request and ends the claim. */
  keep(owner: string, key: string, answer: StoredAnswer): Promise<void>;
  /** Ends the claim without an answer: the next request with this key is a retry. */
  release(owner: string, key: string): Promise<void>;
}

/** The database of the service. Every method throws `StoreUnavailable` when the database cannot be reached. */
export interface Store {
  readonly applications: ApplicationStore;
  readonly keys: KeyStore;
  readonly uploads: UploadStore;
  readonly brieven: BriefStore;
  readonly rates: RateStore;
  /** Throws when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
