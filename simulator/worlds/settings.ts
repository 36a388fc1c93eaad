import type { SimulatedFault } from './faults.ts';

/** The clock of one world. */
export type ClockSetting = {
  /** The date from which the relative dates in the fixtures of persons are counted, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** True when the world was empty when this setting was made. */
  readonly begun?: true | undefined;
} & (
  | {
      readonly kind: 'running';
      /** Number of milliseconds that the world is ahead of `Worlds.running`. */
      readonly ahead: number;
    }
  | {
      readonly kind: 'frozen';
      /** The frozen time of the world, in milliseconds since 1970. */
      readonly at: number;
    }
);

/** Settings of one world. */
export interface WorldSettings {
  /**
   * Clock of this world. Null means the common clock; the relative dates of the fixtures then always count from today.
   */
  readonly clock: ClockSetting | null;
  /** Names of the active scenarios, in the order in which they were switched on. */
  readonly scenarios: readonly string[];
  /** Faults that are switched on separately, not as part of a scenario. */
  readonly faults: readonly (SimulatedFault & { readonly id: string })[];
  /**
   * The letter in this world: its case, its template, and the outcome of the passages in a new draft. When absent, the
   * letter is about the default case of `upstreams/register/opdrachten.ts`. With `templateId` null, the template is
   * that of a decision on the case. Without `uitkomst`, the outcome is that of the decision on the case, or a grant
   * when there is no decision.
   */
  readonly letter?:
    | {
        readonly referentie: string;
        readonly templateId: string | null;
        readonly uitkomst?: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling' | undefined;
      }
    | undefined;
  /** Number that the next fault of this world gets in its id. */
  readonly next: number;
}

/** Settings of a new world. */
export const DEFAULT_SETTINGS: WorldSettings = { clock: null, scenarios: [], faults: [], next: 1 };
