import type { SimulatedFault } from './faults.ts';

/** The clock of one world. */
export type ClockSetting = {
  /** The date that the offsets in the fixtures of persons count from, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** True when the world was empty at the time of this setting. */
  readonly begun?: true | undefined;
} & (
  | {
      readonly kind: 'running';
      /** Milliseconds ahead of `Worlds.running`. */
      readonly ahead: number;
    }
  | {
      readonly kind: 'frozen';
      /** Milliseconds since 1970. */
      readonly at: number;
    }
);

/** Settings of one world. */
export interface WorldSettings {
  /** Clock of this world; null: the common clock, and a first day that is always today. */
  readonly clock: ClockSetting | null;
  /** Names of the active scenarios, in the order in which they were switched on. */
  readonly scenarios: readonly string[];
  /** Active faults that are not part of a scenario. */
  readonly faults: readonly (SimulatedFault & { readonly id: string })[];
  /**
   * The case and the template of the letter in this world, and the outcome of the passages that it begins with.
   * `templateId` null: the template for the decision on the case. `uitkomst` absent: that of the decision on the case,
   * else a grant. Absent: the default case of `upstreams/register/opdrachten.ts`.
   */
  readonly letter?:
    | {
        readonly referentie: string;
        readonly templateId: string | null;
        readonly uitkomst?: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling' | undefined;
      }
    | undefined;
  /** Number for the id of the next fault. */
  readonly next: number;
}

/** Settings of a new world. */
export const DEFAULT_SETTINGS: WorldSettings = { clock: null, scenarios: [], faults: [], next: 1 };
