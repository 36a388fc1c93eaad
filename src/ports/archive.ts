/** Whose things: those of one workspace. Its people have a name that ends in `suffix`; null: a name without a world in it. */
export interface Whose {
  readonly workspace: string;
  readonly suffix: string | null;
}

/** Rows as they are kept, table by table. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/**
 * Takes out and puts back all that a workspace has, so that a story can be told again. Idempotency keys are not part of it: an
 * answer that was given belongs to what was there then. For demonstrations; the service itself never asks for it.
 */
export interface Archive {
  /** In a fixed order, so that the same content gives the same rows. */
  take(whose: Whose): Promise<ArchivedRows>;
  /** Throws when something of it is there already. */
  put(rows: ArchivedRows): Promise<void>;
  erase(whose: Whose): Promise<void>;
  /** The register took back what it decided: a request is under treatment again, unless another of its type is by now. */
  reopen(whose: Whose, referentie: string): Promise<void>;
}
