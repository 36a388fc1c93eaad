/**
 * The processing activities and their purposes, for the organisation's register of processing activities (AVG art. 30).
 */
export const ACTIVITIES = {
  'register-raadplegen': 'Showing professionals what the register holds about them',
  'adres-raadplegen': 'Showing professionals their address in the BRP',
  'diplomas-raadplegen': 'Showing professionals their diplomas at DUO',
  'aanvraag-bijhouden': 'Storing applications that professionals are filling in, and showing their status',
  'aanvraag-indienen': 'Checking requests and submitting them to the register',
  'document-bewaren': 'Receiving, storing and removing the documents of a request',
  'document-inzien': 'Showing professionals their own documents',
  'document-opruimen': 'Removing documents that no request refers to',
  'concept-opruimen': 'Removing applications that professionals did not finish',
  'brief-opstellen': 'Drafting a letter about a request',
  'brief-beoordelen': 'Approving or rejecting a letter that another person drafted',
  'brief-verzenden': 'Sending an approved letter through the register',
} as const;

/** Name of an activity in the organisation's register of processing activities. */
export type Activity = keyof typeof ACTIVITIES;

/** The person whom personal data are about. Logs contain a keyed hash of `value` instead of `value` itself. */
export interface DataSubject {
  /**
   * A BSN, the login id of a person without one, the owner name of data in the store, or the id of an assignment to
   * write a letter.
   */
  readonly type: 'BSN' | 'login' | 'eigenaar' | 'opdracht';
  readonly value: string;
}

/** The position of a log entry in a distributed trace (W3C Trace Context). Ids are hexadecimal. */
export interface TracePosition {
  /** Trace id, 16 bytes. */
  readonly traceId: string;
  /** Id of this operation within the trace, 8 bytes. */
  readonly operationId: string;
  /** Id of the caller's operation, from the header `traceparent`; null when the caller sent none. */
  readonly foreignOperationId: string | null;
}

/**
 * Succeeded (`Ok`), failed in this service or an upstream (`Error`), or neither (`Unset`), for example because a
 * request was refused.
 */
export type ProcessingStatus = 'Ok' | 'Unset' | 'Error';

/** One processing of the personal data of at most one person (Logboek Dataverwerkingen). */
export interface Processing extends TracePosition {
  /**
   * The `operationId` of the first entry when one operation concerns several persons. Null in the first or only entry.
   */
  readonly parentOperationId: string | null;
  /** Operation id of the HTTP interface, such as `dashboardView`, or the name of a background job. */
  readonly name: string;
  readonly activity: Activity;
  /** The person whose data were processed; null when no person is known. */
  readonly subject: DataSubject | null;
  readonly status: ProcessingStatus;
  readonly start: Date;
  readonly end: Date;
}

/** An entry of the audit trail: one act, such as approving a letter, and the person who did it. */
export interface AuditEntry extends TracePosition {
  readonly act: string;
  /** `repeated`: the answer to an earlier request was given again, and nothing was done. */
  readonly outcome: 'done' | 'refused' | 'failed' | 'repeated';
  /** Code of the problem that was answered; null when the answer was none, such as a 403 or 404 without a body. */
  readonly problem: string | null;
  readonly at: Date;
  /** The person who did the act. The audit trail contains a keyed hash of `subject`. */
  readonly actor: { readonly kind: 'professional' | 'staff'; readonly subject: string };
  /** Ids and hashes of what the act concerned, such as a letter; never its content. */
  readonly object: Readonly<Record<string, string | number | null>>;
  readonly requestId: string;
}

/** The writer of the processing log and the audit trail. Entries are never sampled. */
export interface ProcessingLog {
  /** Returns false while too many entries wait to be written. The service must then refuse to process personal data. */
  accepts(): boolean;
  processing(entry: Processing): void;
  audit(entry: AuditEntry): void;
  /**
   * Waits until all entries are written, for at most two seconds, or `ms` milliseconds when that is shorter. The others
   * are lost.
   */
  close(ms?: number): Promise<void>;
}
