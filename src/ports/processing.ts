/** Whom personal data are about, by a name under which somebody knows them. Leaves the process as a keyed hash and as nothing else. */
export interface DataSubject {
  /**
   * `BSN`; `login` for the few who have none; `eigenaar`: the name under which their things are kept; `opdracht`: whomever the
   * register's case of that id is about.
   */
  readonly type: 'BSN' | 'login' | 'eigenaar' | 'opdracht';
  readonly value: string;
}

/** Where in which trace something happened (W3C Trace Context). Hexadecimal. */
export interface Moment {
  /** 16 bytes. */
  readonly traceId: string;
  /** 8 bytes. */
  readonly operationId: string;
  /** The operation of the caller that asked for this one, when it said so. */
  readonly foreignOperationId: string | null;
}

/** `Error`: we or a source failed. `Unset`: nothing failed, and it was refused or not there. */
export type ProcessingStatus = 'Ok' | 'Unset' | 'Error';

/** One processing of the personal data of at most one person (Logboek Dataverwerkingen). */
export interface Processing extends Moment {
  /** The operation that this is a further part of, when it concerned more than one person. */
  readonly parentOperationId: string | null;
  readonly name: string;
  /** The activity in the organisation's register of processing activities. */
  readonly activity: string;
  /** Null when it came to nobody: whoever asked was refused, or there was nothing there. */
  readonly subject: DataSubject | null;
  readonly status: ProcessingStatus;
  readonly start: Date;
  readonly end: Date;
}

/** What somebody decided or did to others, for whoever has to account for it. */
export interface AuditEntry extends Moment {
  readonly act: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was refused or failed, as a problem code. */
  readonly problem: string | null;
  readonly at: Date;
  /** Who did it. Leaves the process as a keyed hash. */
  readonly actor: { readonly kind: 'professional' | 'staff'; readonly subject: string };
  /** Ids and hashes of what it was done to: no content, no name, no number, and nothing that a caller typed. */
  readonly object: Readonly<Record<string, string | number | null>>;
  readonly requestId: string;
}

/** The account that this service gives of what it did with whose data. Separate from the log of requests, and never sampled. */
export interface Accounts {
  /**
   * False while what was written down is not confirmed and too much of it waits: then no personal data may be processed,
   * since nobody could account for it.
   */
  accepts(): boolean;
  processing(entry: Processing): void;
  audit(entry: AuditEntry): void;
  /** Waits until every line is confirmed: at most two seconds, or `ms` where that is less. */
  close(ms?: number): Promise<void>;
}
