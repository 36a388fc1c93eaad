import type { ApplicationStore } from './applications.ts';
import type { BriefStore } from './brief-store.ts';
import type { UploadStore } from './uploads.ts';

/** The database of the service. Methods of its four parts throw `StoreUnavailable` when the database cannot be used. */
export interface Store {
  readonly applications: ApplicationStore;
  readonly keys: KeyStore;
  readonly uploads: UploadStore;
  readonly brieven: BriefStore;
  /** Tests the connection, and with PostgreSQL that the server takes changes. Throws as the methods of its parts do. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be used now. It is unknown whether the requested change was made. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The answer to a request, stored so that a retry with the same idempotency key gets the same answer. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The state of an idempotency key at the start of a request. */
export type OpenedKey =
  /**
   * Carry out the request, and give the object that it creates this `id`. `retry`: an earlier request with this key
   * ended without a stored answer. `claim` is for `release` and `forget`.
   */
  | { readonly state: 'open'; readonly id: string; readonly retry: boolean; readonly claim: number }
  /** The caller must return `answer`, because the request was carried out before. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** Another request with this idempotency key is in progress. */
  | { readonly state: 'busy' }
  /** The idempotency key was used before, for a different request. */
  | { readonly state: 'other' };

/** A key belongs to one owner. A key with an answer is stored for at least a day. */
export interface KeyStore {
  /**
   * Claims a key until `until` (milliseconds since 1970 by the clock of this process) when its request must be carried
   * out. `fingerprint` is a hash of the request; `id` is for a new object, which later retries get back.
   */
  open(owner: string, key: string, fingerprint: string, id: string, until: number): Promise<OpenedKey>;
  /** Stores the answer, and ends the claim. Does nothing when another attempt has stored its answer. */
  keep(owner: string, key: string, answer: StoredAnswer): Promise<void>;
  /**
   * Ends the claim, so that a retry can carry out the request. Does nothing when a retry has the claim now, as `forget`.
   */
  release(owner: string, key: string, claim: number): Promise<void>;
  /** Deletes the key, so that a different request can use it. */
  forget(owner: string, key: string, claim: number): Promise<void>;
}

/** Deleted Concepts and idempotency keys. */
export interface Expired {
  readonly concepts: number;
  readonly keys: number;
}

/** The part of the store that deletes rows whose retention period has ended (docs/guides/backup.md, "Retention"). */
export interface RetentionStore {
  /**
   * Deletes idempotency keys older than a day, and at most 1,000 Concepts last changed before `conceptsBefore` (ISO
   * 8601; null deletes none), by the clock of this process and by that of the store. One that was or is being sent to
   * the register is not deleted. Also returns the owners of the deleted Concepts, each once.
   */
  expire(conceptsBefore: string | null): Promise<Expired & { readonly owners: readonly string[] }>;
}
