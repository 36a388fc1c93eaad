/**
 * The numbers of rows that one call of `RetentionStore.expire` deleted: Concepts (draft applications), and idempotency
 * keys.
 */
export interface Expired {
  readonly concepts: number;
  readonly keys: number;
}

/** The part of the store that deletes rows whose retention period has ended (docs/guides/backup.md, "Retention"). */
export interface RetentionStore {
  /**
   * Deletes expired rows and returns their numbers. Deletes the idempotency keys that are older than a day, and at most
   * 1,000 Concepts (draft applications) that were last changed before `conceptsBefore` (ISO 8601; null deletes no
   * Concepts). A Concept that is being sent, or was sent to the register without a confirmation, is not deleted. The
   * documents of a deleted Concept become orphans, which `UploadStore.sweep` returns.
   */
  expire(conceptsBefore: string | null): Promise<Expired>;
}
