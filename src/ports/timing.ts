/**
 * Limits on clients, upstreams and the store, in milliseconds (reliability.md, "Timeouts and limits"). No variable sets
 * them.
 */
export const TIMING = {
  /** Time of the handler of a GET, unless its operation has a `budget`. */
  read: 3_000,
  /** The same for the other methods. Reading the body does not count. */
  write: 8_000,
  /** From the start of a connection or request of a client to the end of its headers. */
  requestHeaders: 5_000,
  /** From the first to the last byte of a JSON body; a later body is refused with 408. */
  requestBody: 15_000,
  /** Within which the remaining part of a request must arrive after its answer was sent; then the connection is closed. */
  requestRest: 2_000,
  /** To connect to an upstream. */
  connect: 500,
  /** To the headers of an upstream's answer. */
  headers: 1_500,
  /**
   * The same for a request that must be sent once: longer, because after a timeout it is unknown whether the upstream
   * did what was asked. The deadline of the request of the client still applies.
   */
  submitHeaders: 7_000,
  /** The same for a request that sends a document or a part of one. */
  documentHeaders: 60_000,
  /** Between two chunks of a JSON answer of an upstream; also for the whole body of a refusal. */
  body: 1_500,
  /** Between two chunks of a download. */
  downloadBody: 10_000,
  /** From the start of a request to a token issuer to the end of its answer; also to connect. */
  issuer: 2_000,
  /** To connect to clamd. */
  scannerConnect: 1_000,
  /** To get a connection to PostgreSQL. */
  storeConnect: 2_000,
  /** That statements wait for a restart of PostgreSQL, from the first attempt to connect that failed. */
  storeRestart: 2_000,
  /** That PostgreSQL works on one statement. */
  statement: 2_000,
  /** Until the result of one statement arrives. Longer than `statement`, so that PostgreSQL is the first to stop. */
  statementAnswer: 2_500,
  /** That PostgreSQL waits for the next statement of a transaction. It then ends the transaction, and others get its locks. */
  transactionSilence: 5_000,
  /** Until the claim of a submission ends; longer than `write`, so that no request outlives its own claim. */
  applicationLease: 10_000,
  /** The same for the claim on an idempotency key. */
  idempotencyLease: 15_000,
  /** The same for the claim on a client's id of an upload, unless it is renewed. After a crash the client can try again. */
  uploadLease: 15_000,
  /** That a readiness check waits for the store: a load balancer waits only one or two seconds for a probe. */
  ping: 500,
};

/** Tests shorten or lengthen them. */
export type Timing = Readonly<Record<keyof typeof TIMING, number>>;
