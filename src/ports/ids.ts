/**
 * Creates ids of applications, documents, letters and blocks. Not for secrets: the ids of a simulator can be
 * predictable.
 */
export interface Ids {
  /** Returns a UUID that is unique over all workspaces. */
  next(workspace: string): string;
}

/** Random UUIDs (version 4). */
export const RANDOM_IDS: Ids = { next: () => crypto.randomUUID() };
