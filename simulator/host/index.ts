/** The parts of the service that exist in development only. The production build leaves this folder out. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { Identity } from '../../src/auth/identity.ts';
import type { Config } from '../../src/config/index.ts';
import { CONFIGURED_UPSTREAMS } from '../../src/config/upstreams.ts';
import type { Context, Next } from '../../src/http/exchange.ts';
import { type Clock, RANDOM_IDS } from '../../src/ports/clock.ts';
import type { Development, Hints } from '../../src/startup/development.ts';
import { connectUpstreams } from '../../src/startup/wiring/upstreams.ts';
import { createDirectory } from '../people/directory.ts';
import { standInIdentity } from '../people/stand-in.ts';
import { explainFault } from '../persona-files/explain.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import type { PersonaJson } from '../persona-files/schema.ts';
import { DEVELOPMENT_HEADERS, EXPOSED_IN_DEVELOPMENT, problemPageAt } from '../service/help.ts';
import { clockOf } from './clock.ts';
import { commandsOf } from './commands.ts';
import { identifySimulatedPeople, startLogin } from './login.ts';
import { briefPdf } from './pages/brief-pdf.ts';
import { docsPage } from './pages/docs.ts';
import { startPage } from './pages/start-page.ts';
import { openPersonaFiles } from './persona-files.ts';
import type { SimulatorHost } from './simulator-host.ts';

const HINTS: Omit<Hints, 'pages' | 'notes'> = {
  identity: 'stand-in: Authorization, and X-Subject (X-Role) or X-Medewerker (X-Rollen)',
  tryThis: (url) => `curl -s ${url}/api/v1/dashboard-view -H 'Authorization: Bearer dev' -H 'X-Subject: sanne-de-wit'`,
};

/** Simulated persons are the built-in personas, those in the folder `PERSONAS_DIR`, and those in `personas`. */
export function developmentWith(personas: readonly PersonaJson[], pollInterval?: number): Development {
  const development: Development = {
    commands: commandsOf(() => development),
    testPersons: PERSONAS.flatMap((one) =>
      one.kind === 'professional' && one.person.bsn !== null ? [one.person.bsn] : [],
    ),
    clock: clockOf,
    async pretty() {
      const { default: prettyStream } = await import('pino-pretty');
      return prettyStream({ singleLine: true, translateTime: 'SYS:HH:MM:ss' });
    },
    async compose(given, clock, logger) {
      const simulated = [
        ...CONFIGURED_UPSTREAMS.filter((upstream) => given.upstreams[upstream].kind === 'simulator'),
        ...(given.scanner.kind === 'simulator' ? (['scanner'] as const) : []),
      ];
      const files = openPersonaFiles({
        folder: given.personasDir,
        given: personas,
        pollInterval,
        onChange: ({ own, faults }) => {
          logger.info({ personas: { read: own.length, refused: faults.length } });
          logFaults(logger, faults);
        },
      });
      const { own, faults } = files.current();
      logFaults(logger, faults);
      const directory = createDirectory(files.personas, files.refusal);
      const docs = docsPage(directory.personas, simulated.length > 0);
      const login =
        given.identity.kind === 'simulated-oidc' ? await startLogin(given.identity, given, directory) : null;
      const config = login === null ? given : { ...given, identity: login.identity };
      const { pages, notes, watch, intercept, recordUse, ...host } =
        simulated.length === 0
          ? withoutSimulators(config, clock)
          : await import('./simulator-host.ts')
              .then((host) => host.createSimulatorHost(simulated, config, { directory, files, login }, clock))
              .catch(async (error) => {
                await login?.close();
                throw error;
              });
      return {
        ...host,
        simulated,
        standIn: reportingWorld(standInIdentity(directory), recordUse),
        withPersonIds:
          login === null ? null : (tokens) => reportingWorld(identifySimulatedPeople(tokens, directory), recordUse),
        parts: {
          pages:
            pages === null
              ? docs
              : (ctx: Context, next: Next) => startPage(ctx, login === null, () => docs(ctx, () => pages(ctx, next))),
          ...(watch && { watch }),
          operations: briefPdf,
          helpAt: problemPageAt,
          headers: [...DEVELOPMENT_HEADERS, ...(intercept ? ['Prefer'] : [])],
          ...(intercept && { intercept, exposedHeaders: EXPOSED_IN_DEVELOPMENT }),
        },
        hints: {
          ...HINTS,
          ...(login && { identity: login.hint }),
          notes: [
            ...notes,
            ...missingFolder(given),
            ...(own.length > 0 ? [`personas of your own: ${own.map(({ persona }) => persona.slug).join(', ')}`] : []),
            ...faults.map((fault) => `persona refused: ${explainFault(fault)}`),
          ],
          pages: {
            docs: '/docs',
            ...(pages && { console: '/_simulator/' }),
            ...(pages && !login && { mijn: '/_simulator/mijn/' }),
          },
        },
        async close() {
          files.close();
          await login?.close();
          await host.close();
        },
      };
    },
  };
  return development;
}

export const development: Development = developmentWith([]);

/** Returns a note when the folder that `PERSONAS_DIR` names does not exist. The default folder may be absent. */
const missingFolder = ({ personasDir, dataDir }: Config): string[] =>
  personasDir === null || personasDir === join(dataDir, 'personas') || existsSync(personasDir)
    ? []
    : [`PERSONAS_DIR: there is no folder ${personasDir}; make it, or correct the name`];

function logFaults(logger: Logger, faults: readonly PersonaFault[]): void {
  for (const { file, pointer, detail: fault, allowed } of faults)
    logger.warn({ persona: { file, pointer, fault, ...(allowed && { allowed }) } });
}

const reportingWorld = ({ identify }: Identity, recordUse: (world: string) => void): Identity => ({
  async identify(request) {
    const identified = await identify(request);
    recordUse(identified.caller.workspace);
    return identified;
  },
});

const withoutSimulators = (config: Config, clock: Clock): SimulatorHost => ({
  config,
  clock,
  ids: RANDOM_IDS,
  upstreams: connectUpstreams(config),
  seedStores: (store) => store,
  pages: null,
  notes: [],
  watch: null,
  intercept: null,
  recordUse: () => undefined,
  closeStreams: () => undefined,
  close: async () => {},
});
