import { type Config, ConfigError } from '../../config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../../config/upstreams.ts';
import type { Clock } from '../../ports/clock.ts';
import { RANDOM_IDS } from '../../ports/ids.ts';
import type { Store } from '../../ports/store/store.ts';
import { connectUpstreams } from './upstreams.ts';

/** Returns the parts of a service for a build without simulated upstreams and without a simulated login. */
export const composeWithoutSimulators = (config: Config, clock: Clock) => ({
  config,
  clock,
  ids: RANDOM_IDS,
  upstreams: connectUpstreams(config),
  standIn: undefined,
  withPersonIds: null,
  simulated: [],
  seedStores: (store: Store): Pick<Store, 'applications' | 'uploads'> => store,
  parts: undefined,
  hints: undefined,
});

/**
 * Throws a `ConfigError` when the configuration asks for something that this build does not contain, such as a
 * simulated upstream.
 */
export function requireRealUpstreams({ identity, upstreams, scanner, simulatorToday }: Config): void {
  const simulated = [
    ...(identity.kind !== 'oidc' ? ['IDENTITY'] : []),
    ...CONFIGURED_UPSTREAMS.filter((upstream) => upstreams[upstream].kind === 'simulator').map(
      (upstream) => `${VARIABLE_PREFIX[upstream]}_UPSTREAM`,
    ),
    ...(scanner.kind === 'simulator' ? ['SCANNER'] : []),
  ];
  const faults =
    simulated.length > 0
      ? [
          `this build has no stand-in and no simulators; set a real issuer, upstream or scanner in ${simulated.join(', ')}`,
        ]
      : [];
  if (simulatorToday !== undefined) faults.push('SIMULATOR_TODAY: this build has no other clock than the real one');
  if (faults.length > 0) throw new ConfigError(faults);
}
