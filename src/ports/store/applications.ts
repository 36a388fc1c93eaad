import type { ApplicationTag, ApplicationType } from '../../wire/values.ts';
import type { Claim } from './claim.ts';

/** An application without its draft, for lists. Timestamps are texts: RFC 3339 in UTC with milliseconds. */
export interface ApplicationSummary {
  readonly id: string;
  readonly owner: string;
  readonly type: ApplicationType;
  /**
   * The status. `Pending` is the status of a request without a draft that was sent to the register and is not confirmed
   * yet; it is never shown to clients.
   */
  readonly tag: ApplicationTag | 'Pending';
  /**
   * Increases by one when the draft is saved, a document of the application is deleted or the tag changes; not when the
   * application is claimed or sent. It is the ETag of the application.
   */
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
  /**
   * Idempotency key of the last submission to the register. Null when nothing was submitted, and when the register
   * certainly did not receive it.
   */
  readonly sentKey: string | null;
  /**
   * Hash of the content that was sent with `sentKey`; `mixed` when different contents were sent with that key. Null
   * when `sentKey` is null.
   */
  readonly sentHash: string | null;
  /**
   * Time of the last submission, in milliseconds since 1970 by the store's clock. Compare it only with a value of
   * `sentAt` that was read earlier, to see whether there was a new submission.
   */
  readonly sentAt: number | null;
  /** True while a submission has claimed the application (a temporary lock) and the claim has not expired. */
  readonly claimed: boolean;
}

/** An application with its draft. */
export interface Application extends ApplicationSummary {
  /** The draft as JSON text, byte for byte as the client sent it; null when there is no draft. */
  readonly draft: string | null;
}

/** The members of an application that a client replaces when it saves the draft. */
export interface DraftContent {
  readonly draft: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
}

/**
 * The reason why an application was not changed. `absent`: this owner has no such application. `busy`: a submission has
 * claimed the application, or had claimed it a moment ago. `in-doubt`: the application was sent to the register, and
 * the register has not confirmed it. `submitted`: the application is no longer a Concept (draft). `stale`: the
 * application has another version than the caller expects.
 */
export type Unchanged = 'absent' | 'busy' | 'in-doubt' | 'submitted' | 'stale';

/**
 * The data of the register's confirmation that the store keeps with an application. `at` is the time at which the
 * application became confirmed (RFC 3339, UTC).
 */
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
 * The store of the applications of all owners, including drafts. Changes are conditional statements, so that two
 * processes never overwrite each other's changes. Each method has the same effect on every database engine. An
 * application of another owner is reported as absent.
 *
 * A submission *claims* an application, so that nothing else changes the application. A claim expires by itself, so
 * that a process that died does not block the application. An application that was sent and not confirmed is *in
 * doubt*. It keeps its key and content until the register confirms it or the submission is removed; until then its
 * owner cannot send another request of that type. An owner can have one request of each type that is in doubt or
 * InBehandeling (in progress).
 */
export interface ApplicationStore {
  /** Returns all applications of an owner, those with the tag Pending included, the most recently changed first. */
  list(owner: string): Promise<readonly ApplicationSummary[]>;
  /**
   * Returns the owner's applications that the register has not decided, in no fixed order: those that are InBehandeling
   * (in progress), and those that were sent, or are being sent, without a confirmation (Pending requests, and Concepts
   * that are in doubt).
   */
  open(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Returns one application with its draft; null when this owner has no such application. */
  find(owner: string, id: string): Promise<Application | null>;
  /**
   * Adds a new Concept (draft) and returns true. When the id exists already, changes nothing and returns true. When the
   * owner already has `max` Concepts, adds nothing and returns false, also when calls run at the same time. Without
   * `max` there is no limit.
   */
  add(application: NewApplication, max?: number): Promise<boolean>;
  /**
   * Stores an application with the tag Pending, and claims it for its sender, before it is sent to the register.
   * Returns false, and stores nothing, when the id exists or the owner has another application of the same type that is
   * being sent, in doubt or InBehandeling.
   */
  addPending(application: NewApplication, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Claims a Pending request that is in doubt, so that it can be sent again with the idempotency key that it already
   * has. `sentAt` is the value that the caller read. Returns false, and changes nothing, when the request is claimed,
   * is no longer Pending, or was sent again since the caller read it.
   */
  adopt(id: string, sentAt: number | null, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Replaces the draft of a Concept that is neither claimed nor in doubt; `at` is the timestamp of the change. With
   * `ifVersions`, replaces the draft only when that list has the current version. Returns the new version, or the
   * reason why nothing was changed.
   */
  sync(
    owner: string,
    id: string,
    content: DraftContent,
    at: string,
    ifVersions?: readonly number[],
  ): Promise<number | Unchanged>;
  /** Deletes a Concept that is neither claimed nor in doubt, or returns the reason why it was not deleted. */
  remove(owner: string, id: string): Promise<'removed' | Unchanged>;
  /**
   * Claims a Concept for a submission, even when the Concept is in doubt. Returns the application, or the reason why it
   * was not claimed (never `in-doubt` or `stale`).
   */
  claim(owner: string, id: string, claim: Claim): Promise<Application | Unchanged>;
  /**
   * Stores that a claimed Concept is being sent, with the ids of its documents. Call it before the Concept is sent to
   * the register. Returns false, and changes nothing, when `token` no longer has the claim, or when the owner has
   * another request of the same type that is being sent, in doubt or InBehandeling.
   */
  send(id: string, token: string, sending: Submission, documentIds: readonly string[]): Promise<boolean>;
  /**
   * Ends the claim with this token. An application for which `send`, `addPending` or `adopt` was called is in doubt
   * afterwards. Changes nothing when the application is no longer claimed with `token`.
   */
  release(id: string, token: string): Promise<void>;
  /**
   * Removes a submission that the register certainly did not receive: a Concept can then be changed again, and a
   * Pending request is deleted. `known` says which submission the caller means, so that a later one is not removed: by
   * the token of the caller's claim, or by the `sentAt` that the caller read. With `sentAt`, nothing is removed while
   * the application is claimed; with `silentFor`, only when `sentAt` is at least that many milliseconds ago. Returns
   * false when nothing was changed.
   */
  forget(
    id: string,
    known: { readonly token: string } | { readonly sentAt: number | null; readonly silentFor?: number },
  ): Promise<boolean>;
  /**
   * Sets a Concept or a Pending request to InBehandeling, because the register confirmed it. With `sent`, adds the
   * application again when it was deleted in the meantime. Returns false, and changes nothing, when the application
   * already has another tag, or was deleted and `sent` is absent. The change survives a power failure.
   */
  settle(id: string, settlement: Settlement, sent?: SentApplication): Promise<boolean>;
  /** Removes the id of a deleted document from every application of its owner, in any state. */
  dropDocument(owner: string, documentId: string): Promise<void>;
  /**
   * Stores the register's decision on an application that is InBehandeling; changes no other application. `at` is the
   * time at which this service read the decision.
   */
  decide(id: string, decision: { tag: 'Goedgekeurd' | 'Afgewezen'; reden: string | null; at: string }): Promise<void>;
}

/** The content and the submission of a request that this service sent to the register. */
export interface SentApplication {
  readonly application: NewApplication;
  readonly sending: Submission;
}

/** The members of a new application; the store sets the other members. */
export type NewApplication = Pick<Application, 'id' | 'owner' | 'type' | 'createdAt'> & Partial<DraftContent>;

/**
 * Returns all members of a new application with this tag: version 1, the given content, and null for the members that
 * only a submission sets. The implementations of the store use it, and add their own columns.
 */
export const addedApplication = (application: NewApplication, tag: 'Concept' | 'Pending') => ({
  id: application.id,
  owner: application.owner,
  type: application.type,
  tag,
  version: 1,
  draft: application.draft ?? null,
  stepIndex: application.stepIndex ?? 0,
  stepCount: application.stepCount ?? 0,
  documentIds: application.documentIds ?? [],
  referentie: null,
  manual: null,
  reden: null,
  createdAt: application.createdAt,
  updatedAt: application.createdAt,
  submittedAt: null,
  sentKey: null,
  sentHash: null,
  sentAt: null,
});
