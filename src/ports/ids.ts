/** What new things are called: applications, documents, letters and their blocks. Never what keeps something secret. */
export interface Ids {
  /** A UUID that nothing else in any workspace has. */
  next(workspace: string): string;
}

/** Ids that nobody can guess or repeat. */
export const RANDOM_IDS: Ids = { next: () => crypto.randomUUID() };
