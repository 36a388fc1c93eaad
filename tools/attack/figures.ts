/** The result of an attack: what was measured, keyed by name, and the faults. */
export interface Figures {
  readonly figures: Readonly<Record<string, number | string>>;
  /** The faults that the attack found, each as a sentence; an empty list when there are none. */
  readonly faults: readonly string[];
}
