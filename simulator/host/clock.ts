import type { Config } from '../../src/config/index.ts';
import type { Clock } from '../../src/ports/clock.ts';

/**
 * Returns the clock of the service and its simulators: the real time, or frozen at 12:00 UTC of `SIMULATOR_TODAY`,
 * which is the same date in the Netherlands in summer and in winter.
 */
export function clockOf({ simulatorToday }: Config): Clock {
  if (simulatorToday === undefined) return { now: () => new Date() };
  const frozen = Date.parse(`${simulatorToday}T12:00:00Z`);
  return { now: () => new Date(frozen) };
}
