/** Everything that stands in for something real. The one door to simulators and personas, which a built artefact does not have. */
import { createDirectory, type PeopleDirectory } from '../../fixtures/directory.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { SimulatedUpstream } from '../../simulator/index.ts';
import { standIn } from '../auth/stand-in.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import { SOURCES } from '../sources.ts';
import type { Composition, Development, Hints } from '../startup/development.ts';
import { briefPreview } from './brief-preview.ts';
import { clockOf } from './clock.ts';
import { COMMANDS } from './commands.ts';
import { docsPage } from './docs.ts';

const HINTS: Hints = {
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
    const { seeded, close, ...made } =
      simulated.length === 0 ? { config, ...NONE } : await simulate(simulated, config, directory, clock);
    return {
      config: made.config,
      simulated,
      standIn: standIn(directory),
      parts: config.productionLike
        ? null
        : {
            pages: docsPage(PERSONAS),
            operations: briefPreview,
            headers: ['X-Medewerker', 'X-Role', 'X-Rollen', 'X-Subject'],
          },
      hints: HINTS,
      seeded,
      close,
    };
  },
};

const NONE: Pick<Composition, 'seeded' | 'close'> = { seeded: (stores) => stores, close: async () => {} };

/** Imported when needed: with real sources nothing of it is loaded. */
async function simulate(
  names: readonly SimulatedUpstream[],
  config: Config,
  directory: PeopleDirectory,
  clock: Clock,
): Promise<Pick<Composition, 'config' | 'seeded' | 'close'>> {
  const { DOCUMENTS_ACCESS, startSimulators } = await import('../../simulator/index.ts');
  const { urls, seeded, close } = await startSimulators(names, { directory, clock, port: 0, dataDir: config.dataDir });
  const upstreams = { ...config.upstreams };
  for (const source of SOURCES) {
    const url = urls[source];
    if (url !== undefined) upstreams[source] = { kind: 'url', url: new URL(url), headers: {}, tls: {}, oauth: null };
  }
  const addressed = {
    ...config,
    upstreams,
    ...(urls.documenten !== undefined && { documents: { kind: 'zgw' as const, ...DOCUMENTS_ACCESS } }),
    ...(urls.scanner !== undefined && { scanner: clamdAt(new URL(urls.scanner)) }),
  };
  return { config: addressed, seeded, close };
}

const clamdAt = ({ hostname: host, port }: URL) => ({ kind: 'clamd', host, port: Number(port) }) as const;
