/** What an attack measured, and what it found. */
export interface Figures {
  readonly figures: Readonly<Record<string, number | string>>;
  /** Each a sentence; an empty list when everything held. */
  readonly faults: readonly string[];
}
