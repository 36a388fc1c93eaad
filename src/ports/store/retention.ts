/** Deleted Concepts and idempotency keys. */
export interface Expired {
  readonly concepts: number;
  readonly keys: number;
}

/** The part of the store that deletes rows whose retention period has ended (docs/guides/backup.md, "Retention"). */
export interface RetentionStore {
  /**
   * Deletes idempotency keys older than a day, and at most 1,000 Concepts last changed before `conceptsBefore` (ISO
   * 8601; null deletes none), by the clock of this process and by that of the store. One that was or is being sent to
   * the register is not deleted. Also returns the owners of the deleted Concepts, each once.
   */
  expire(conceptsBefore: string | null): Promise<Expired & { readonly owners: readonly string[] }>;
}
