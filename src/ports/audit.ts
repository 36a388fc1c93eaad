/** What an administrator did, for whoever has to account for it. Ids and hashes only: no content, no name, no number. */
export interface AuditEntry {
  readonly act: 'upload-verwijderd';
  /** Stands for the one who did it. */
  readonly actor: string;
  readonly documentId: string;
  readonly sha256: string | null;
  readonly requestId: string;
  readonly traceId: string;
}

export interface Audit {
  record(entry: AuditEntry): void;
}
