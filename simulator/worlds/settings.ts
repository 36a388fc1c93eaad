import type { SimulatedFault } from './faults.ts';

/** The clock of one world. */
export type ClockSetting = {
  /** The date from which the relative dates in the fixtures of persons are counted, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** True when the world had no stored data when this setting was made: reproducible ids then never occur twice. */
  readonly begun?: true | undefined;
} & (
  | {
      readonly kind: 'running';
      /** Milliseconds that the clock of the world is ahead of `Worlds.running`. */
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
   * Clock of this world. Null means the common clock (`Worlds.common`); relative dates in fixtures then count from
   * today, except for a resident with a fixed first day.
   */
  readonly clock: ClockSetting | null;
  /** Names of the active scenarios, in the order in which they were switched on. */
  readonly scenarios: readonly string[];
  /** Faults that are switched on separately, not as part of a scenario. */
  readonly faults: readonly (SimulatedFault & { readonly id: string })[];
  /**
   * The letter that staff write in this world: the request that it is about (`referentie`), its template, and the
   * outcome that the text of a new draft states. When absent, the letter is about the default request of
   * `upstreams/register/opdrachten.ts`. With `templateId` null, the template is that of a decision on the request.
   * Without `uitkomst`, the outcome is that of the decision on the request, or a grant when there is no decision.
   */
  readonly letter?:
    | {
        readonly referentie: string;
        readonly templateId: string | null;
        readonly uitkomst?: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling' | undefined;
      }
    | undefined;
  /** Number that the next fault that is set in this world gets in its id. */
  readonly next: number;
}

/** Settings of a new world. */
export const DEFAULT_SETTINGS: WorldSettings = { clock: null, scenarios: [], faults: [], next: 1 };
