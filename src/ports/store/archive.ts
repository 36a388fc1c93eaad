/**
 * Selects the data of one workspace. Letters are found by `workspace`; applications, uploads and keys by the name of
 * their owner, which ends with `suffix`, such as `@demo`. A `suffix` of null selects the owner names without `@`, which
 * belong to the simulator's world `default`.
 */
export interface WorkspaceRows {
  readonly workspace: string;
  readonly suffix: string | null;
}

/** The database rows of one workspace, grouped by table. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/**
 * Reads, restores and deletes all data of a workspace, for the simulator's snapshots (stored states of a
 * demonstration). A snapshot has no idempotency keys, because a stored answer is only right for the data at the time of
 * that answer.
 */
export interface StoreArchive {
  /**
   * Returns the rows of the workspace, without idempotency keys, in a fixed order, so that the same data always give
   * the same output.
   */
  take(whose: WorkspaceRows): Promise<ArchivedRows>;
  /** Inserts the rows. Throws, and inserts none, when a row with the same primary key exists. */
  put(rows: ArchivedRows): Promise<void>;
  /** Deletes all rows of the workspace, its idempotency keys included. */
  erase(whose: WorkspaceRows): Promise<void>;
  /**
   * Sets an application that was decided back to InBehandeling (in progress), after the simulated register withdrew its
   * decision. Changes nothing when the owner has another application of the same type that is in progress or being
   * sent.
   */
  reopen(whose: WorkspaceRows, referentie: string): Promise<void>;
}
