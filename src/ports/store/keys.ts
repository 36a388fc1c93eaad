/** The stored answer to a successful request. A retry with the same idempotency key gets this answer. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The state of an idempotency key, as `KeyStore.open` found it for a request. */
export type OpenedKey =
  /**
   * The caller must carry out the request, and use `id` for the object that the request creates. `retry` is true when
   * an earlier attempt with this key ended without an answer.
   */
  | { readonly state: 'open'; readonly id: string; readonly retry: boolean }
  /** The request was carried out before; the caller must return `answer`. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** Another request with this key is in progress. */
  | { readonly state: 'busy' }
  /** The key was used for a different request. */
  | { readonly state: 'other' };

/** The store of idempotency keys. Each key belongs to one owner and one request, and is stored for at least a day. */
export interface KeyStore {
  /**
   * Claims an idempotency key for a request, unless the key has an answer or another request has claimed it, and
   * returns the state of the key. `fingerprint` is a hash of the request. When the key is new, `id` is stored as the id
   * of the object that the request creates. `until` is the end of the claim, in milliseconds since 1970 by the clock of
   * this process.
   */
  open(owner: string, key: string, fingerprint: string, id: string, until: number): Promise<OpenedKey>;
  /** Stores the answer to the request and ends the claim on the key. */
  keep(owner: string, key: string, answer: StoredAnswer): Promise<void>;
  /** Ends the claim on a key that has no answer. The next request with this key then counts as a retry. */
  release(owner: string, key: string): Promise<void>;
  /**
   * Deletes a key that has no answer, so that a different request can use the key. Call it only while having the claim.
   */
  forget(owner: string, key: string): Promise<void>;
}
