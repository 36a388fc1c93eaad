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
   * ended without a stored answer.
   */
  | { readonly state: 'open'; readonly id: string; readonly retry: boolean }
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
  /** Stores the answer, and ends the claim. */
  keep(owner: string, key: string, answer: StoredAnswer): Promise<void>;
  /** Ends the claim on a key without an answer, so that a retry can carry out the request. */
  release(owner: string, key: string): Promise<void>;
  /** Deletes a key without an answer, so that a different request can use it. Only for the holder of its claim. */
  forget(owner: string, key: string): Promise<void>;
}
