/**
 * Development parts of the service: simulators, personas, console. The only entry to them; the production build leaves
 * it out.
 */

import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { Identity } from '../../src/auth/identity.ts';
import type { Config } from '../../src/config/index.ts';
import { CONFIGURED_UPSTREAMS } from '../../src/config/upstreams.ts';
import type { Context, Next } from '../../src/http/state.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { RANDOM_IDS } from '../../src/ports/ids.ts';
import type { Development, Hints } from '../../src/startup/development.ts';
import { connectUpstreams } from '../../src/startup/wiring.ts';
import type { SimulatedUpstream } from '../index.ts';
import { createDirectory, type PeopleDirectory } from '../people/directory.ts';
import { standInIdentity } from '../people/stand-in.ts';
import { briefPreview } from './brief-preview.ts';
import { clockOf } from './clock.ts';
import { COMMANDS } from './commands.ts';
import { docsPage } from './docs.ts';
import type { SimulatorHost } from './simulator-host.ts';

const HINTS: Omit<Hints, 'pages' | 'notes'> = {
  identity: 'stand-in: Authorization, and X-Subject (X-Role) or X-Medewerker (X-Rollen)',
  tryThis: (url) => `curl -s ${url}/api/v1/dashboard-view -H 'Authorization: Bearer dev' -H 'X-Subject: sanne-de-wit'`,
};

export const development: Development = {
  commands: COMMANDS,
  clock: clockOf,
  async pretty() {
    const { default: prettyStream } = await import('pino-pretty');
    return prettyStream({ singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  },
  async compose(config, clock) {
    const simulated = [
      ...CONFIGURED_UPSTREAMS.filter((upstream) => config.upstreams[upstream].kind === 'simulator'),
      ...(config.scanner.kind === 'simulator' ? (['scanner'] as const) : []),
    ];
    const directory = createDirectory();
    const docs = docsPage(PERSONAS);
    const { pages, notes, watch, use, ...host } =
      simulated.length === 0 ? withoutSimulators(config, clock) : await simulate(simulated, config, directory, clock);
    return {
      ...host,
      simulated,
      standIn: reportingWorld(standInIdentity(directory), use),
      parts: config.productionLike
        ? null
        : {
            pages: pages === null ? docs : (ctx: Context, next: Next) => docs(ctx, () => pages(ctx, next)),
            ...(watch && { watch }),
            operations: briefPreview,
            headers: ['X-Medewerker', 'X-Role', 'X-Rollen', 'X-Subject'],
          },
      hints: {
        ...HINTS,
        notes,
        pages: config.productionLike ? {} : { docs: '/docs', ...(pages && { console: '/_simulator/' }) },
      },
    };
  },
};

/** An identity provider that also reports the world of each caller to `use`. */
const reportingWorld = ({ identify }: Identity, use: (world: string) => void): Identity => ({
  async identify(request) {
    const identified = await identify(request);
    use(identified.caller.workspace);
    return identified;
  },
});

/** The host for a configuration in which every upstream is real. */
const withoutSimulators = (config: Config, clock: Clock): SimulatorHost => ({
  config,
  clock,
  ids: RANDOM_IDS,
  upstreams: connectUpstreams(config),
  seedStores: (store) => store,
  pages: null,
  notes: [],
  watch: null,
  use: () => undefined,
  closeStreams: () => undefined,
  close: async () => {},
});

/** Starts the simulators. Their code is imported here, so that it is not loaded when every upstream is real. */
async function simulate(
  simulated: readonly SimulatedUpstream[],
  config: Config,
  directory: PeopleDirectory,
  clock: Clock,
): Promise<SimulatorHost> {
  const { createSimulatorHost } = await import('./simulator-host.ts');
  return createSimulatorHost(simulated, config, directory, clock);
}
