/** The person whom personal data are about. Written to the log as a keyed hash (pseudonym), never as it is. */
export interface DataSubject {
  /**
   * Kind of `value`. `BSN`: burgerservicenummer; `login`: login id, for a person without one; `eigenaar`: owner name in
   * the store; `opdracht`: id of a case in the register, for the person whom that case is about.
   */
  readonly type: 'BSN' | 'login' | 'eigenaar' | 'opdracht';
  readonly value: string;
}

/** Position of a log entry in its trace (W3C Trace Context). All ids are hexadecimal. */
export interface TracePosition {
  /** 16 bytes. */
  readonly traceId: string;
  /** 8 bytes. */
  readonly operationId: string;
  /** Operation id that the caller sent for its own part of the trace; null when it sent none. */
  readonly foreignOperationId: string | null;
}

/**
 * `Error`: this service or an upstream failed. `Unset`: no failure, but the request was refused or the data do not
 * exist.
 */
export type ProcessingStatus = 'Ok' | 'Unset' | 'Error';

/** One processing of the personal data of at most one person (Logboek Dataverwerkingen). */
export interface Processing extends TracePosition {
  /** Operation id of the first entry, when one operation concerned more than one person; else null. */
  readonly parentOperationId: string | null;
  readonly name: string;
  /** The activity in the organisation's register of processing activities. */
  readonly activity: string;
  /** Null when no person's data were processed: the caller was refused, or the data do not exist. */
  readonly subject: DataSubject | null;
  readonly status: ProcessingStatus;
  readonly start: Date;
  readonly end: Date;
}

/** One entry of the audit trail: an act that affects another person or a decision. */
export interface AuditEntry extends TracePosition {
  readonly act: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was refused or failed, as a problem code. */
  readonly problem: string | null;
  readonly at: Date;
  /** The caller. Written to the log as a keyed hash (pseudonym). */
  readonly actor: { readonly kind: 'professional' | 'staff'; readonly subject: string };
  /** Ids and hashes of the object of the act: no content, no name, no burgerservicenummer, no input of a caller. */
  readonly object: Readonly<Record<string, string | number | null>>;
  readonly requestId: string;
}

/** The processing log and audit trail (Logboek Dataverwerkingen). Separate from the request log, and never sampled. */
export interface ProcessingLog {
  /**
   * False while too many entries wait to be written. No personal data may be processed then, because the processing
   * could not be logged.
   */
  accepts(): boolean;
  /** Queues one entry of the processing log. */
  processing(entry: Processing): void;
  /** Queues one entry of the audit trail. */
  audit(entry: AuditEntry): void;
  /** Waits until every entry is written: at most two seconds, or `ms` milliseconds when that is less. */
  close(ms?: number): Promise<void>;
}
