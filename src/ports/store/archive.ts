/**
 * Selects the rows of one workspace: letters by `workspace`, other rows by the end of their owner name, such as
 * `@demo`. A `suffix` of null selects owner names without `@`, which belong to the simulator's default world.
 */
export interface WorldRows {
  readonly workspace: string;
  readonly suffix: string | null;
}

/** The database rows of one workspace, grouped by table, without idempotency keys. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/**
 * Reads, restores and deletes the data of a workspace, for the snapshots (stored demonstration states) of the
 * simulator.
 */
export interface StoreArchive {
  /**
   * Returns the rows of the workspace, without idempotency keys, in a fixed order, so that the same data always give
   * the same output.
   */
  take(whose: WorldRows): Promise<ArchivedRows>;
  /** Inserts rows. Throws, and inserts none, when a row with the same primary key exists. */
  put(rows: ArchivedRows): Promise<void>;
  /** Deletes all rows of a workspace, idempotency keys included. */
  erase(whose: WorldRows): Promise<void>;
  /**
   * Sets a decided application back to InBehandeling (in progress), after the simulated register withdrew its decision.
   * Does nothing when the owner has another application of that type in progress.
   */
  reopen(whose: WorldRows, referentie: string): Promise<void>;
}
