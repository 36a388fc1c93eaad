import type { Fault } from './faults.ts';

/** How time goes in a world; `firstDay` is the day, `YYYY-MM-DD`, on which the stories in it began. */
export type ClockSetting = {
  readonly firstDay: string /** The world was empty then. */;
  readonly begun?: true | undefined;
} & (
  | {
      readonly kind: 'running' /** Milliseconds ahead of the clock that runs (`Worlds.running`). */;
      readonly ahead: number;
    }
  | { readonly kind: 'frozen' /** Milliseconds since 1970. */; readonly at: number }
);

/** What was changed about a world. */
export interface Settings {
  /** Null: the clock of all, and stories that begin anew each day. */
  readonly clock: ClockSetting | null;
  /** Names of scenarios that are on, in the order in which they were switched on. */
  readonly scenarios: readonly string[];
  /** Faults beside those of scenarios. */
  readonly faults: readonly (Fault & { readonly id: string })[];
  /** What the next fault is called. */
  readonly next: number;
}

export const UNCHANGED: Settings = { clock: null, scenarios: [], faults: [], next: 1 };
