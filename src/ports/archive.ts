/**
 * The selection of one workspace's data. `suffix` is the end of the owner names in that workspace; null selects owner
 * names without the suffix of a simulator world.
 */
export interface WorldRows {
  readonly workspace: string;
  readonly suffix: string | null;
}

/** The rows of one workspace as they are in the database, grouped by table. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/**
 * Reads, restores and deletes all data of a workspace, for the simulator's snapshots of a demonstration.
 * Idempotency keys are not included: a stored answer belongs to the data that existed when it was given.
 */
export interface StoreArchive {
  /** Returns all rows of the workspace in a fixed order, so that equal data give equal output. */
  take(whose: WorldRows): Promise<ArchivedRows>;
  /** Inserts the rows. Throws when a row with the same key exists. */
  put(rows: ArchivedRows): Promise<void>;
  /** Deletes all rows of the workspace. */
  erase(whose: WorldRows): Promise<void>;
  /**
   * Sets a decided application back to InBehandeling, after the simulated register withdrew its decision. Changes
   * nothing when the owner has another application of the same type InBehandeling.
   */
  reopen(whose: WorldRows, referentie: string): Promise<void>;
}
