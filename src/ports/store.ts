import type { ApplicationTag, ApplicationType } from '../wire/values.ts';
import type { BriefStore } from './brief-store.ts';
import type { Claim } from './claim.ts';
import type { RateStore } from './rates.ts';
import type { UploadStore } from './uploads.ts';

/** An application as its owner sees it in a list. Moments are RFC 3339 in UTC, to the millisecond. */
export interface ApplicationSummary {
  readonly id: string;
  readonly owner: string;
  readonly type: ApplicationType;
  /**
   * `Pending` is ours alone: a request that was sent on without a draft, of which the register has not been heard yet.
   * Nobody is shown it.
   */
  readonly tag: ApplicationTag | 'Pending';
  /** Goes up by one with every change; what an ETag is made of. */
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
  /** The key under which it was sent to the register; set once it may have arrived, also when nobody knows. */
  readonly sentKey: string | null;
  /** Fingerprint of what was sent under that key. */
  readonly sentHash: string | null;
  /** When it was last sent, by the store's clock in milliseconds since 1970: to be compared with nothing but itself. */
  readonly sentAt: number | null;
  /** Whether a submit holds it at this moment. */
  readonly claimed: boolean;
}

export interface Application extends ApplicationSummary {
  /** The draft as JSON text, byte for byte as it came; null when there is none. */
  readonly draft: string | null;
}

/** What a draft sync replaces. */
export interface DraftContent {
  readonly draft: string | null;
  readonly stepIndex: number;
  readonly stepCount: number;
  readonly documentIds: readonly string[];
}

/**
 * Why a change did not happen: no such application of this owner, held by a submit, sent without an answer so that nobody
 * knows whether it is still a Concept, past Concept, or changed meanwhile.
 */
export type Unchanged = 'absent' | 'busy' | 'in-doubt' | 'submitted' | 'stale';

/** What a request or draft becomes once the register has it. */
export interface Settlement {
  readonly referentie: string;
  readonly manual: boolean;
  readonly at: string;
}

export interface Sending {
  readonly sentKey: string;
  readonly sentHash: string;
}

/**
 * The applications of everybody, drafts and all. Each method is one atomic change, the same on every engine: conditional
 * updates instead of locks. Someone else's application is absent.
 *
 * A submit *claims* an application, so that nothing changes under it; a claim lapses by itself when its process dies. What was
 * sent and not heard of is *in doubt*: it keeps its key, its content and the one place that its owner has for a request of
 * that type, until the register says that it has it or it is forgotten.
 */
export interface ApplicationStore {
  /** Newest change first. */
  list(owner: string): Promise<readonly ApplicationSummary[]>;
  /** Only what is in doubt or under treatment. */
  open(owner: string): Promise<readonly ApplicationSummary[]>;
  find(owner: string, id: string): Promise<Application | null>;
  /**
   * A new Concept. Adding one that is there already changes nothing. False: its owner has `most` Concepts already; of several
   * that are added at the same time no more than fit are.
   */
  add(application: NewApplication, most?: number): Promise<boolean>;
  /** A request without a draft that is about to be sent, claimed by its token. False: the place of its type is taken. */
  addPending(application: NewApplication, sending: Sending, claim: Claim): Promise<boolean>;
  /** Claims a Pending one that is in doubt since `sentAt`, to send it again. False: it is held, was sent again, or is gone. */
  adopt(id: string, sentAt: number | null, sending: Sending, claim: Claim): Promise<boolean>;
  /** The new version, or why not. `ifVersions`: only when the present version is among them. */
  sync(
    owner: string,
    id: string,
    content: DraftContent,
    at: string,
    ifVersions?: readonly number[],
  ): Promise<number | Unchanged>;
  remove(owner: string, id: string): Promise<'removed' | Unchanged>;
  /** Holds a Concept, also one in doubt. */
  claim(owner: string, id: string, claim: Claim): Promise<Application | Unchanged>;
  /** Notes that a claimed Concept is about to be sent, with these documents. False: the place of its type is taken, or the claim has lapsed. */
  send(id: string, token: string, sending: Sending, documentIds: readonly string[]): Promise<boolean>;
  /** Gives up a claim. What was noted of sending stays: it is now in doubt. */
  release(id: string, token: string): Promise<void>;
  /**
   * The register certainly does not have it: a Concept is a Concept again, a Pending one is gone. Only what the caller holds, or
   * what is in doubt since the moment that the caller saw: a later sending is not what it knows about. `silentFor`: only when
   * that is so many milliseconds ago. False: nothing was forgotten.
   */
  forget(
    id: string,
    known: { readonly token: string } | { readonly sentAt: number | null; readonly silentFor?: number },
  ): Promise<boolean>;
  /**
   * The register has it: InBehandeling. Whoever sent it gives `sent`, from which it is put back if it was forgotten meanwhile.
   * False when it was InBehandeling already. Survives a power cut once it returns.
   */
  settle(id: string, settlement: Settlement, sent?: Sent): Promise<boolean>;
  /** The register has decided. Changes nothing but what is InBehandeling. */
  decide(id: string, decision: { tag: 'Goedgekeurd' | 'Afgewezen'; reden: string | null; at: string }): Promise<void>;
}

/** All that is known of a request by whoever sent it. */
export interface Sent {
  readonly application: NewApplication;
  readonly sending: Sending;
}

export type NewApplication = Pick<Application, 'id' | 'owner' | 'type' | 'createdAt'> & Partial<DraftContent>;

/** The store cannot be reached or used, or not in time; the message says why. What was asked of it has or has not happened. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** An answer kept for whoever asks the same again. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type OpenedKey =
  /** Ours to do; `retry` when an earlier try did not get to an answer. Whatever is made gets this id. */
  | { readonly state: 'open'; readonly id: string; readonly retry: boolean }
  | { readonly state: 'done'; readonly answer: KeptAnswer }
  | { readonly state: 'busy' }
  /** The key was used for another request. */
  | { readonly state: 'other' };

/** Idempotency keys, each of one owner and for one request. Kept for a day. */
export interface KeyStore {
  /** `fingerprint` tells requests apart; `id` is for what will be made, should the key be new. */
  open(owner: string, key: string, fingerprint: string, id: string, until: number): Promise<OpenedKey>;
  keep(owner: string, key: string, answer: KeptAnswer): Promise<void>;
  /** No answer to keep: the next try with this key is a retry. */
  release(owner: string, key: string): Promise<void>;
}

/** Every method throws `StoreUnavailable` when the store cannot be reached. */
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
