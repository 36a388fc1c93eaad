import type { Config } from '../../src/config/index.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** With `SIMULATOR_TODAY` always 12:00 UTC on that date, when it is the same date in the Netherlands. */
export function clockOf({ simulatorToday }: Config): Clock {
  if (simulatorToday === undefined) return { now: () => new Date() };
  const frozen = Date.parse(`${simulatorToday}T12:00:00Z`);
  return { now: () => new Date(frozen) };
}
