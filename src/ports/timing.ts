/**
 * Limits on clients, upstreams and the store, in milliseconds (reliability.md, "Timeouts and limits"). No variable sets
 * them.
 */
export interface Timing {
  /** Time of the handler of a GET, unless its operation has a `budget`. */
  readonly read: number;
  /** The same for the other methods. Reading the body does not count. */
  readonly write: number;
  /** From the start of a connection or request of a client to the end of its headers. */
  readonly requestHeaders: number;
  /** From the first to the last byte of a JSON body; a later body is refused with 408. */
  readonly requestBody: number;
  /** Within which the remaining part of a request must arrive after its answer was sent; then the connection is closed. */
  readonly requestRest: number;
  /** To connect to an upstream. */
  readonly connect: number;
  /** To the headers of an upstream's answer. */
  readonly headers: number;
  /**
   * The same for a request that must be sent once: longer, because after a timeout it is unknown whether the upstream
   * did what was asked. The deadline of the request of the client still applies.
   */
  readonly submitHeaders: number;
  /** The same for a request that sends a document or a part of one. */
  readonly documentHeaders: number;
  /** Between two chunks of a JSON answer of an upstream; also for the whole body of a refusal. */
  readonly body: number;
  /** Between two chunks of a download. */
  readonly downloadBody: number;
  /** From the start of a request to a token issuer to the end of its answer; also to connect. */
  readonly issuer: number;
  /** To connect to clamd. */
  readonly scannerConnect: number;
  /** To get a connection to PostgreSQL. */
  readonly storeConnect: number;
  /** That statements wait for a restart of PostgreSQL, from the first attempt to connect that failed. */
  readonly storeRestart: number;
  /** That PostgreSQL works on one statement. */
  readonly statement: number;
  /** Until the result of one statement arrives. Longer than `statement`, so that PostgreSQL is the first to stop. */
  readonly statementAnswer: number;
  /** That PostgreSQL waits for the next statement of a transaction. It then ends the transaction, and others get its locks. */
  readonly transactionSilence: number;
  /** Until the claim of a submission ends; longer than `write`, so that no request outlives its own claim. */
  readonly applicationLease: number;
  /** The same for the claim on an idempotency key. */
  readonly idempotencyLease: number;
  /** The same for the claim on a client's id of an upload, unless it is renewed. After a crash the client can try again. */
  readonly uploadLease: number;
  /** That a readiness check waits for the store: a load balancer waits only one or two seconds for a probe. */
  readonly ping: number;
}

export const TIMING: Timing = {
  read: 3_000,
  write: 8_000,
  requestHeaders: 5_000,
  requestBody: 15_000,
  requestRest: 2_000,
  connect: 500,
  headers: 1_500,
  submitHeaders: 7_000,
  documentHeaders: 60_000,
  body: 1_500,
  downloadBody: 10_000,
  issuer: 2_000,
  scannerConnect: 1_000,
  storeConnect: 2_000,
  storeRestart: 2_000,
  statement: 2_000,
  statementAnswer: 2_500,
  transactionSilence: 5_000,
  applicationLease: 10_000,
  idempotencyLease: 15_000,
  uploadLease: 15_000,
  ping: 500,
};
