/**
 * A generator of ids for applications, documents, letters and blocks. Not for secrets: with the simulator the ids can
 * be predicted.
 */
export interface Ids {
  /** Returns a new UUID. It is unique, also among the ids of other workspaces. */
  next(workspace: string): string;
}

/** A generator of random UUIDs (version 4). */
export const RANDOM_IDS: Ids = { next: () => crypto.randomUUID() };
