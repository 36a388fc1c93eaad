/**
 * A generator of ids for applications, documents, letters and blocks. Do not use it for secrets: in the simulator the
 * ids can be predicted.
 */
export interface Ids {
  /** Returns a new UUID, which is unique over all workspaces. */
  next(workspace: string): string;
}

/** A generator of random UUIDs (version 4). */
export const RANDOM_IDS: Ids = { next: () => crypto.randomUUID() };
