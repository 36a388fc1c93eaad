/** A generator of ids. Do not use it for secrets: in the simulator its ids can be predicted. */
export interface Ids {
  /** Returns a new UUID, unique over all workspaces. */
  next(workspace: string): string;
}

/** A generator of random UUIDs (version 4). */
export const RANDOM_IDS: Ids = { next: () => crypto.randomUUID() };
