/**
 * A selection of the database rows of one workspace: letters by their `workspace`, other rows by the end (`suffix`) of
 * their owner name, such as `@demo`. A `suffix` of null selects owner names without `@`, which the simulator uses in
 * the workspace `default`.
 */
export interface WorkspaceRows {
  readonly workspace: string;
  readonly suffix: string | null;
}

/** The database rows of one workspace, grouped by table, without idempotency keys. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/** `about` is null when its owner can have only one case of that type in progress. */
export interface DecidedCase {
  readonly referentie: string;
  readonly about: string | null;
}

/** The part of the store that reads, inserts and deletes all data of one workspace, for snapshots. */
export interface StoreArchive {
  /** Without idempotency keys, in a fixed order, so that the same data always give the same output. */
  take(whose: WorkspaceRows): Promise<ArchivedRows>;
  /** Returns the ids in the document store of the confirmed uploads of all workspaces. */
  documentKeys(): Promise<ReadonlySet<string>>;
  /** Inserts rows. Throws, and inserts none, when a row with the same primary key exists. */
  put(rows: ArchivedRows): Promise<void>;
  /** Replaces all letters of the workspace by these rows. */
  putLetters(whose: WorkspaceRows, rows: ArchivedRows['brieven']): Promise<void>;
  /** Idempotency keys included. */
  erase(whose: WorkspaceRows): Promise<void>;
  /**
   * Sets a decided application back to InBehandeling, after the simulated register withdrew its decision. `at` (RFC
   * 3339) is the time of this change; the time of creation is stored when that is later. Does nothing when the owner
   * has another application of that type in progress (about the same registration).
   */
  reopen(whose: WorkspaceRows, decided: DecidedCase, at: string): Promise<void>;
}
