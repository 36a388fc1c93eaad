import type { ApplicationTag, ApplicationType } from '../../wire/values.ts';
import type { Claim } from './claim.ts';

/** An application without its draft, for lists. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface ApplicationSummary {
  readonly id: string;
  readonly owner: string;
  readonly type: ApplicationType;
  /**
   * `Pending` is a request without a draft that was sent to the register and not confirmed yet. Clients never see it.
   */
  readonly tag: ApplicationTag | 'Pending';
  /**
   * Increases by one when the draft, its documents or the status change, not when the application is only claimed or
   * sent. The ETag is made from it.
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
   * Idempotency key of the last attempt to send the application; null when there was none, or when it certainly failed.
   */
  readonly sentKey: string | null;
  /** Hash of what was sent with `sentKey`; `mixed` when more than one content was. Null when `sentKey` is null. */
  readonly sentHash: string | null;
  /**
   * Time of the last attempt to send the application, in milliseconds since 1970 by the store's clock. Compare it only
   * with an earlier value of `sentAt`.
   */
  readonly sentAt: number | null;
  /** A submission has claimed the application. */
  readonly claimed: boolean;
}

/** An application with its draft. */
export interface Application extends ApplicationSummary {
  /** The draft as JSON text, byte for byte as the client sent it; null when there is no draft. */
  readonly draft: string | null;
}

/** The members of an application that change when a client saves the draft. */
export interface DraftContent {
  readonly draft: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
}

/**
 * Why nothing was changed: no such application (`absent`), claimed by a submission now or a moment ago (`busy`), sent
 * without a confirmation (`in-doubt`), no longer a draft (`submitted`), or at another version than expected (`stale`).
 */
export type Unchanged = 'absent' | 'busy' | 'in-doubt' | 'submitted' | 'stale';

/**
 * Returns why a change of a Concept, in one of these versions when there are any, was not made. `busy` also for one
 * that can be changed by now: the caller tries again.
 */
export function reasonUnchanged(
  row: (Pick<ApplicationSummary, 'claimed' | 'sentKey' | 'version'> & { readonly tag: string }) | undefined,
  ifVersions?: readonly number[],
): Unchanged {
  if (row === undefined || row.tag === 'Pending') return 'absent';
  if (row.tag !== 'Concept') return 'submitted';
  if (row.claimed) return 'busy';
  if (row.sentKey !== null) return 'in-doubt';
  return ifVersions !== undefined && !ifVersions.includes(row.version) ? 'stale' : 'busy';
}

/** The register's confirmation of an application. `at` is the time at which this service got it (RFC 3339, UTC). */
export interface Settlement {
  readonly referentie: string;
  readonly manual: boolean;
  readonly at: string;
}

/** The idempotency key, and the hash of the content, with which an application is sent to the register. */
export interface Submission {
  readonly sentKey: string;
  readonly sentHash: string;
  /**
   * The registration that the application is about, when its owner can have an undecided application for each; else
   * null.
   */
  readonly about?: string | null;
}

/**
 * The applications of all owners, Concepts included. An application of another owner counts as absent. To submit one, a
 * process claims it. One that was sent to the register and not confirmed is in doubt.
 */
export interface ApplicationStore {
  /** Returns all applications of an owner, unconfirmed requests (Pending) included, the most recently changed first. */
  list(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Returns the undecided applications of an owner that the register has, or may have, received. The order can vary. */
  open(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Returns one application with its draft; null when this owner has no such application. */
  find(owner: string, id: string): Promise<Application | null>;
  /**
   * Adds a Concept, unless its id exists, and returns the application with that id. Returns null, and adds nothing,
   * when the owner has `max` Concepts. Without `max` there is no limit.
   */
  add(application: NewApplication, max?: number): Promise<Application | null>;
  /**
   * Adds a claimed request that was no Concept, just before it is sent. Returns false, and adds nothing, when the id
   * exists or the owner has an undecided request of that type (about the same registration).
   */
  addPending(application: NewApplication, sending: Submission, claim: Claim): Promise<boolean>;
  /**
   * Claims an unconfirmed request with the tag Pending to send it again, with its existing idempotency key. Returns
   * false, and changes nothing, when that is impossible, for example because it no longer has this `sentAt`, which the
   * caller read before. A draft with other content than this attempt is removed.
   *
   * @param documentIds - the documents of the earlier attempts and of this one
   */
  adopt(
    id: string,
    sentAt: number | null,
    sending: Submission,
    claim: Claim,
    documentIds: readonly string[],
  ): Promise<boolean>;
  /**
   * Replaces the draft at time `at`, and returns the new version or why nothing was changed. With `ifVersions`, the
   * current version must be in that list.
   */
  sync(
    owner: string,
    id: string,
    content: DraftContent,
    at: string,
    ifVersions?: readonly number[],
  ): Promise<number | Unchanged>;
  /**
   * Deletes a Concept that is not claimed and was not sent. Returns the ids of its documents, or why it was not
   * deleted. With `ifVersions`, the current version must be in that list.
   */
  remove(owner: string, id: string, ifVersions?: readonly number[]): Promise<readonly string[] | Unchanged>;
  /**
   * Claims a Concept for a submission, also when it was sent before and not confirmed. Otherwise returns `absent`,
   * `busy` or `submitted`.
   */
  claim(owner: string, id: string, claim: Claim): Promise<Application | Unchanged>;
  /**
   * Records that a claimed Concept is now sent to the register. Call it before sending. Returns false, and changes
   * nothing, when `token` no longer has the claim or the owner has an undecided request of that type (about the same
   * registration).
   */
  send(id: string, token: string, sending: Submission, documentIds: readonly string[]): Promise<boolean>;
  /** Ends the claim. Does nothing when `token` no longer has it. */
  release(id: string, token: string): Promise<void>;
  /**
   * Undoes a submission that the register certainly did not receive, all of it or nothing: a draft can be changed
   * again, a request without one is deleted, and both lose the links of their documents. `known` is the token of its
   * claim, or its `sentAt`. With `silentFor`, it must have been sent at least that many milliseconds ago. Returns false
   * when nothing was changed.
   */
  forget(
    id: string,
    known: { readonly token: string } | { readonly sentAt: number | null; readonly silentFor?: number },
  ): Promise<boolean>;
  /**
   * Sets an application to InBehandeling, because the register confirmed it. Keeps only the documents that are linked
   * to it (`UploadStore.link`): the others were not sent. With `sent`, restores one that was deleted meanwhile, and
   * with `sent.isOnly` removes the links of documents that are not in `sent`. Returns false when nothing was changed.
   * The change survives a power failure.
   */
  settle(id: string, settlement: Settlement, sent?: SentApplication): Promise<boolean>;
  /** Removes the id of a deleted document from every application of the owner. */
  dropDocument(owner: string, documentId: string): Promise<void>;
  /**
   * Stores the register's decision on an application that is InBehandeling. `at` is when this service read it (RFC
   * 3339, UTC).
   */
  decide(id: string, decision: { tag: 'Goedgekeurd' | 'Afgewezen'; reden: string | null; at: string }): Promise<void>;
}

/** A request that was sent to the register: its content, its idempotency key and its hash. */
export interface SentApplication {
  readonly application: NewApplication;
  readonly sending: Submission;
  /** True when the register received this content, and not the content of an earlier attempt. */
  readonly isOnly?: boolean;
}

/** The members of a new application that the caller chooses. */
export type NewApplication = Pick<Application, 'id' | 'owner' | 'type' | 'createdAt'> & Partial<DraftContent>;

/** Returns the initial values: version 1, and null for members that a submission sets. */
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
