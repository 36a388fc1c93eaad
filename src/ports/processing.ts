/**
 * The person whom personal data are about. The log contains a keyed hash (pseudonym) of `value`, never `value` itself.
 */
export interface DataSubject {
  /**
   * What `value` is. `BSN` is the burgerservicenummer; `login` is the login id of a person without one; `eigenaar` is
   * the owner name in the store; `opdracht` is the id of the register's assignment to write a letter, for the person
   * whom the letter is about.
   */
  readonly type: 'BSN' | 'login' | 'eigenaar' | 'opdracht';
  readonly value: string;
}

/** The position of a log entry in a trace (W3C Trace Context). All ids are in hexadecimal. */
export interface TracePosition {
  /** Id of the trace, 16 bytes. */
  readonly traceId: string;
  /** Id of this operation in the trace, 8 bytes. */
  readonly operationId: string;
  /** Id of the caller's operation in the trace, as sent in `traceparent`; null when the caller sent none. */
  readonly foreignOperationId: string | null;
}

/**
 * The result of a processing: `Ok` when it succeeded, `Error` when this service or an upstream failed, `Unset` when the
 * request was refused, the data do not exist or the client disconnected.
 */
export type ProcessingStatus = 'Ok' | 'Unset' | 'Error';

/**
 * An entry of the processing log: one processing of the personal data of at most one person (Logboek Dataverwerkingen).
 */
export interface Processing extends TracePosition {
  /**
   * The `operationId` of the first entry, when one operation concerns several persons. Null in that first entry, and
   * when there is only one entry.
   */
  readonly parentOperationId: string | null;
  /** Operation id of the interface, such as `dashboardView`, or the name of a background job. */
  readonly name: string;
  /** Name of the activity in the organisation's register of processing activities. */
  readonly activity: string;
  /**
   * The person whose data were processed; null when no person is known, for example when a request about a letter was
   * refused before the letter was read.
   */
  readonly subject: DataSubject | null;
  readonly status: ProcessingStatus;
  readonly start: Date;
  readonly end: Date;
}

/**
 * An entry of the audit trail: one act, such as submitting a request or approving a letter, and the person who did it.
 */
export interface AuditEntry extends TracePosition {
  readonly act: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Problem code when the act was refused or failed; null when the act was done. */
  readonly problem: string | null;
  readonly at: Date;
  /** The caller. The log contains a keyed hash (pseudonym) of `subject`. */
  readonly actor: { readonly kind: 'professional' | 'staff'; readonly subject: string };
  /**
   * Ids and hashes that say what the act was done to, such as a letter. They contain no content, name,
   * burgerservicenummer or input of a caller.
   */
  readonly object: Readonly<Record<string, string | number | null>>;
  readonly requestId: string;
}

/**
 * The processing log and the audit trail (Logboek Dataverwerkingen). They are separate from the request log. Every
 * entry is written (no sampling), except entries that could not be written before `close` ended.
 */
export interface ProcessingLog {
  /**
   * Returns false while too many entries wait to be written. The service then may not process personal data, because it
   * could not log that processing.
   */
  accepts(): boolean;
  /** Adds one entry to the queue of the processing log. */
  processing(entry: Processing): void;
  /** Adds one entry to the queue of the audit trail. */
  audit(entry: AuditEntry): void;
  /**
   * Waits until all entries are written, at most two seconds, or at most `ms` milliseconds when that is shorter.
   * Entries that are not written by then are lost.
   */
  close(ms?: number): Promise<void>;
}
