import type { Config } from '../../src/config/index.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** One clock for the service and its simulators. Noon, so that no time zone makes another day of it. */
export function clockOf({ simulatorToday }: Config): Clock {
  if (simulatorToday === undefined) return { now: () => new Date() };
  const frozen = Date.parse(`${simulatorToday}T12:00:00Z`);
  return { now: () => new Date(frozen) };
}
