/**
 * Selects the data of one workspace. Owners in it have a name that ends in `suffix`; null selects owners whose name has
 * no suffix of a simulator world.
 */
export interface WorldRows {
  readonly workspace: string;
  readonly suffix: string | null;
}

/** Rows of one workspace in their stored form, by table. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/**
 * Reads and restores all data of a workspace, for snapshots of a demonstration. Only the simulator uses it.
 * Idempotency keys are not included: a stored answer belongs to the data that existed when it was given.
 */
export interface StoreArchive {
  /** Returns all rows, in a fixed order: equal content gives equal output. */
  take(whose: WorldRows): Promise<ArchivedRows>;
  /** Inserts the rows. Throws when one of them exists already. */
  put(rows: ArchivedRows): Promise<void>;
  /** Deletes all rows of the workspace. */
  erase(whose: WorldRows): Promise<void>;
  /**
   * Sets a decided application back to InBehandeling, after the simulated register withdrew its decision. Changes
   * nothing when the owner has another application of the same type InBehandeling.
   */
  reopen(whose: WorldRows, referentie: string): Promise<void>;
}
