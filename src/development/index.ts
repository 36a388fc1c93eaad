/** Everything that stands in for something real. The one door to simulators and personas, which a built artefact does not have. */

import { createDirectory, type PeopleDirectory } from '../../fixtures/directory.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { SimulatedUpstream } from '../../simulator/index.ts';
import type { DevelopmentParts } from '../app.ts';
import type { Identity } from '../auth/identity.ts';
import { standIn } from '../auth/stand-in.ts';
import type { Config } from '../config.ts';
import type { Context, Next } from '../http/state.ts';
import type { Clock } from '../ports/clock.ts';
import { RANDOM_IDS } from '../ports/ids.ts';
import { SOURCES } from '../sources.ts';
import type { Composition, Development, Hints } from '../startup/development.ts';
import { connectSources } from '../startup/wiring.ts';
import { briefPreview } from './brief-preview.ts';
import { clockOf } from './clock.ts';
import { COMMANDS } from './commands.ts';
import type { ControlPages } from './control.ts';
import { docsPage } from './docs.ts';

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
      ...SOURCES.filter((source) => config.upstreams[source].kind === 'simulator'),
      ...(config.scanner.kind === 'simulator' ? (['scanner'] as const) : []),
    ];
    const directory = createDirectory();
    const docs = docsPage(PERSONAS);
    const { pages, notes, watch, use, ...stage } =
      simulated.length === 0 ? nothing(config, clock) : await simulate(simulated, config, directory, clock);
    return {
      ...stage,
      simulated,
      standIn: noticed(standIn(directory), use),
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

export interface Stage
  extends Pick<Composition, 'config' | 'clock' | 'ids' | 'sources' | 'furnish' | 'hush' | 'close'> {
  /** The control API, where there is something to control. */
  readonly pages: ControlPages['middleware'] | null;
  /** Writes down every call, where what is answered is made up. */
  readonly watch: DevelopmentParts['watch'] | null;
  /** What whoever starts it should know. */
  readonly notes: readonly string[];
  /** Told of every world that somebody calls in. */
  use(world: string): void;
}

/** The same identity, which tells in whose world somebody calls. */
const noticed = ({ identify }: Identity, use: (world: string) => void): Identity => ({
  async identify(request) {
    const identified = await identify(request);
    use(identified.caller.workspace);
    return identified;
  },
});

const nothing = (config: Config, clock: Clock): Stage => ({
  config,
  clock,
  ids: RANDOM_IDS,
  sources: connectSources(config),
  furnish: (store) => store,
  pages: null,
  notes: [],
  watch: null,
  use: () => undefined,
  hush: () => undefined,
  close: async () => {},
});

/** Imported when needed: with real sources nothing of it is loaded. */
async function simulate(
  names: readonly SimulatedUpstream[],
  config: Config,
  directory: PeopleDirectory,
  clock: Clock,
): Promise<Stage> {
  const { stageOf } = await import('./stage.ts');
  return stageOf(names, config, directory, clock);
}
