import type { UitkomstWire } from '../../adapters/register/wire.ts';
import type { SimulatedFault } from './faults.ts';

/** The setting of the clock of one world. */
export type ClockSetting = {
  /** The date from which the relative dates in the fixtures of persons are counted, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** No id existed when the clock of this empty world was set, so its ids may be reproducible. */
  readonly begun?: true | undefined;
} & (
  | {
      readonly kind: 'running';
      /** Milliseconds that the clock of the world is ahead of `Worlds.runningClock`. */
      readonly ahead: number;
    }
  | {
      readonly kind: 'frozen';
      /** The frozen time of the world, in milliseconds since 1970. */
      readonly at: number;
    }
);

export interface WorldSettings {
  /** Clock of this world; null for the common clock (`WorldsOptions.clock`). */
  readonly clock: ClockSetting | null;
  /** Names of the active scenarios, in the order in which they were switched on. */
  readonly scenarios: readonly string[];
  /** Faults that were set without a scenario. */
  readonly faults: readonly (SimulatedFault & { readonly id: string })[];
  /**
   * The letter that is drafted in this world: the request that it is about, its template (null for a decision), and
   * the outcome that a new draft states. When absent, the simulated register chooses a request (`opdracht`).
   */
  readonly letter?:
    | { readonly referentie: string; readonly templateId: string | null; readonly uitkomst?: UitkomstWire | undefined }
    | undefined;
  /** Number in the id of the next fault that is set in this world. */
  readonly next: number;
}

export const DEFAULT_SETTINGS: WorldSettings = { clock: null, scenarios: [], faults: [], next: 1 };
